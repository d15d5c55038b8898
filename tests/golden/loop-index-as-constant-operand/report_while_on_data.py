"""The while loop ends on data as well as on its counter, so it has no static trip count."""

import tensorflow as tf


@tf.function(jit_compile=True)
def until_small(x):
    axis = tf.constant(0)
    norm = tf.reduce_sum(tf.abs(x))
    while axis < 3 and norm > 4.0:  # want: XLA101 axis
        norm -= tf.reduce_max(tf.reduce_sum(tf.abs(x), axis=axis))
        axis += 1
    return norm


ENTRY = "until_small"
BEFORE = "error"
ERROR = "must be a compile-time constant"
REASON = r"no counter .* decides alone"


def inputs():
    return [tf.reshape(tf.range(8, dtype=tf.float32) * 0.5, [2, 2, 2])]
