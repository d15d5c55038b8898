"""The trip count is tf.rank of a parameter: static for almost every caller, but not shown to be."""

import tensorflow as tf


@tf.function(jit_compile=True)
def spans(x):
    total = tf.constant(0.0)
    for axis in range(x.shape.rank):  # want: XLA101 axis
        total += tf.reduce_sum(tf.reduce_max(x, axis=axis) - tf.reduce_min(x, axis=axis))
    return total


ENTRY = "spans"
BEFORE = "error"
ERROR = "must be a compile-time constant"
SAFETY = "unsafe"  # a caller could pass a tensor of unknown rank
WEAKEN = [("x.shape.rank)", "x.shape.rank - 1)")]


def inputs():
    return [tf.constant([[1.0, 2.0, 4.0], [8.0, 16.0, 32.0]])]


def more_inputs():
    return [[tf.constant(3.0)], [tf.constant([1.0, 5.0])]]
