"""The arguments of tf.range are keywords, out of order, with a name; range() takes positions."""

import tensorflow as tf


@tf.function(jit_compile=True)
def strided_volume(x):
    total = tf.constant(0.0)
    for size in range(1, 6, 2):  # want: XLA101 size
        total = 0.5 * total + tf.reduce_sum(tf.tile(x, [size]))
    return total


ENTRY = "strided_volume"
BEFORE = "error"
ERROR = "must be a compile-time constant"
SAFETY = "safe"
WEAKEN = [("range(1, 6, 2)", "range(1, 5, 2)"), ("range(1, 6, 2)", "range(1, 6)"), ("range(1, 6, 2)", "range(6)")]


def inputs():
    return [tf.constant([1.0, -0.5, 2.0])]


def more_inputs():
    return [[tf.zeros([0])]]
