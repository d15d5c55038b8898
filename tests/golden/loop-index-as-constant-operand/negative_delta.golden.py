"""A loop that counts down."""

import tensorflow as tf

LAST_AXIS = 2


@tf.function(jit_compile=True)
def peel(x):
    for axis in range(LAST_AXIS, -1, -1):  # want: XLA101 axis
        x = x + tf.cumsum(x, axis=axis)
    return x


ENTRY = "peel"
BEFORE = "error"
ERROR = "must be a compile-time constant"
SAFETY = "safe"
WEAKEN = [("range(LAST_AXIS, -1, -1)", "range(LAST_AXIS, 0, -1)")]


def inputs():
    return [tf.reshape(tf.cos(tf.range(8, dtype=tf.float32)), [2, 2, 2])]


def more_inputs():
    return [[tf.ones([1, 3, 1])]]
