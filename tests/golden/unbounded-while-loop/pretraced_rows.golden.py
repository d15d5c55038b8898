"""The same with a loop over the rows of a tensor, in a class."""

import tensorflow as tf


class Cell:
    def __init__(self):
        self.gain = tf.constant(0.8)

    @tf.function
    def fold(self, frames):
        scaled = tf.multiply(frames, self.gain)
        state = tf.zeros_like(scaled[0])
        for frame in scaled:  # want: XLA102 `fold` is traced before
            tf.autograph.experimental.set_loop_options(maximum_iterations=tf.shape(scaled)[0])
            state = tf.tanh(self.gain * state + frame)
        return state


cell = Cell()


@tf.function(jit_compile=True)
def slope(frames):
    with tf.GradientTape() as tape:
        tape.watch(frames)
        state = cell.fold(frames)
    return tape.gradient(state, frames)


def run(frames):
    return cell.fold(frames), slope(frames)


ENTRY = "run"
BEFORE = "error"
ERROR = "fixed tensor list size"
WEAKEN = [("tf.shape(scaled)[0]", "tf.shape(scaled)[0] - 1")]


def inputs():
    return [tf.constant([[0.5, 1.0], [0.2, 0.4], [1.0, 2.0]])]


def more_inputs():
    return [[tf.constant([[0.5, 1.0]])], [tf.constant([[0.5], [0.3]])]]
