"""The index of an int64 tensor loop is a reduction axis and also takes part in int64 arithmetic."""

import tensorflow as tf


@tf.function(jit_compile=True)
def hashed_axes(x):
    code = tf.constant(7, tf.int64)
    total = tf.constant(0.0)
    for k in range(2):  # want: XLA101 k
        code = code * 31 + k
        total += tf.reduce_sum(tf.reduce_min(x, axis=k)) * tf.cast(code % 5, tf.float32)
    return total, code


ENTRY = "hashed_axes"
BEFORE = "error"
ERROR = "must be a compile-time constant"
SAFETY = "safe"  # the trip count is a literal; int64 tensor with Python int stays int64
WEAKEN = [("range(2)", "range(1)"), ("range(2)", "tf.range(2)")]


def inputs():
    return [tf.constant([[1.0, 2.0, 5.0], [3.0, -1.0, 4.0]])]


def more_inputs():
    return [[tf.constant([[4.0]])]]
