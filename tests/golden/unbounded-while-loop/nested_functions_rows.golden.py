"""Named functions inside of the compiled one; the limit is a local name for a static dimension."""

import tensorflow as tf


@tf.function(jit_compile=True)
def smooth(signal, decay):
    length = signal.shape[0]

    def more(step, level):
        return step < length

    def advance(step, level):
        level = decay * level + (1.0 - decay) * signal[step]
        return step + 1, level

    with tf.GradientTape() as tape:
        tape.watch(decay)
        _, level = tf.while_loop(more, advance, (tf.constant(0), signal[0] * 0.0), maximum_iterations=length)  # want: XLA102 while_loop
    return level, tape.gradient(level, decay)


ENTRY = "smooth"
BEFORE = "error"
ERROR = "fixed tensor list size"
WEAKEN = [("maximum_iterations=length", "maximum_iterations=length - 1")]


def inputs():
    return [tf.constant([1.0, 4.0, 2.0]), tf.constant(0.5)]


def more_inputs():
    return [[tf.constant([2.0]), tf.constant(0.25)], [tf.constant([1.0, 2.0, 3.0, 4.0, 5.0]), tf.constant(0.9)]]
