"""The body asks the index for its dtype, which a Python int does not have."""

import tensorflow as tf


@tf.function(jit_compile=True)
def typed(x):
    total = tf.constant(0.0)
    for axis in tf.range(2):  # want: XLA101 axis
        step = tf.ones([], axis.dtype)
        total += tf.reduce_max(tf.reduce_sum(x, axis=axis)) * tf.cast(axis + step, tf.float32)
    return total


ENTRY = "typed"
BEFORE = "error"
ERROR = "must be a compile-time constant"
REASON = "dtype|attribute|tensor"


def inputs():
    return [tf.constant([[1.0, 2.0], [-3.0, 0.5]])]
