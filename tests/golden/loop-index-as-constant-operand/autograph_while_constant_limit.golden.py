"""The counter of an AutoGraph while loop in a method; the limit is a module constant, the step two."""

import tensorflow as tf

LARGEST = 5


class Sweep:
    @tf.function(jit_compile=True)
    def __call__(self, x):
        score = tf.constant(0.0)
        size = 1
        while size <= LARGEST:  # want: XLA101 size
            score = 0.5 * score + tf.reduce_sum(tf.fill([size], x))
            size = size + 2
        return score


def run(x):
    sweep = Sweep()
    return sweep(x)


ENTRY = "run"
BEFORE = "error"
ERROR = "must be a compile-time constant"
SAFETY = "safe"
WEAKEN = [("size <= LARGEST", "size < LARGEST"), ("size = 1", "size = tf.constant(1)")]


def inputs():
    return [tf.constant(2.0)]


def more_inputs():
    return [[tf.constant(0.0)]]
