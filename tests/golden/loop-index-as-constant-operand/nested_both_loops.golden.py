"""Both loops give an axis; the inner trip count becomes static with the outer index."""

import tensorflow as tf


@tf.function(jit_compile=True)
def pairs(x):
    total = tf.constant(0.0)
    for i in range(1, 3):  # want: XLA101 `?i`?
        for j in range(i):  # want: XLA101 `?j`?
            total = 0.5 * total + tf.reduce_max(tf.reduce_sum(x, axis=[i, j]))
    return total


ENTRY = "pairs"
BEFORE = "error"
ERROR = "must be a compile-time constant"
SAFETY = "safe"
WEAKEN = [("range(1, 3)", "range(1, 2)"), ("range(i)", "tf.range(i)"), ("range(1, 3)", "tf.range(1, 3)")]


def inputs():
    return [tf.reshape(tf.sin(tf.range(24, dtype=tf.float32)), [2, 3, 4])]


def more_inputs():
    return [[tf.ones([1, 1, 2])]]
