"""A function inside the loop's function reads the index from its closure."""

import tensorflow as tf


@tf.function(jit_compile=True)
def spread(x):
    total = tf.constant(0.0)
    for axis in range(2):  # want: XLA101 axis

        def centred(values):
            return values - tf.reduce_mean(values, axis=axis, keepdims=True)

        total += tf.reduce_sum(centred(x) ** 2)
    return total


ENTRY = "spread"
BEFORE = "error"
ERROR = "must be a compile-time constant"
SAFETY = "safe"
WEAKEN = [("range(2)", "range(1)")]


def inputs():
    return [tf.constant([[1.0, 2.0, 4.0], [8.0, 16.0, 32.0]])]


def more_inputs():
    return [[tf.constant([[1.0]])]]
