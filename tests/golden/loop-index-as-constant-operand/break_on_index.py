"""A break under a condition on the index alone is fine in a Python loop; so is continue on a tensor."""

import tensorflow as tf

AXES = 3


@tf.function(jit_compile=True)
def first_axes(x, limit=2):
    total = tf.constant(0.0)
    for axis in tf.range(AXES):  # want: XLA101 axis
        if axis == limit:
            break
        peak = tf.reduce_max(tf.reduce_sum(x, axis=axis))
        if peak < 0.0:
            continue
        total += peak
    return total


ENTRY = "first_axes"
BEFORE = "error"
ERROR = "must be a compile-time constant"
SAFETY = "unsafe"  # with a tensor as limit the condition of the break is one
WEAKEN = [("axis == limit", "axis == limit - 1"), ("total += peak", "total -= peak")]


def inputs():
    return [tf.reshape(tf.sin(tf.range(24, dtype=tf.float32)), [2, 3, 4])]


def more_inputs():
    return [[tf.reshape(tf.sin(tf.range(24, dtype=tf.float32)), [2, 3, 4]), 7], [-tf.ones([1, 1, 1]), 0]]
