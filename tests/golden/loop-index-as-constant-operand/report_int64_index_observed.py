"""An int64 index is stacked: from Python ints the result would be int32."""

import tensorflow as tf


@tf.function(jit_compile=True)
def coordinates(x):
    last = tf.zeros([2], tf.int64)
    total = tf.constant(0.0)
    for axis in tf.range(2, dtype=tf.int64):  # want: XLA101 axis
        last = tf.stack([axis, axis + 1])
        total += tf.reduce_max(tf.reduce_sum(x, axis=axis))
    return total, last


ENTRY = "coordinates"
BEFORE = "error"
ERROR = "must be a compile-time constant"
REASON = "int64|dtype"


def inputs():
    return [tf.constant([[1.0, 2.0], [-3.0, 0.5]])]
