"""Each loop is short enough to unroll, both together are not."""

import tensorflow as tf


@tf.function(jit_compile=True)
def table(x):
    total = tf.constant(0.0)
    for row in tf.range(1, 41):  # want: XLA101 row
        for column in tf.range(1, 41):  # want: XLA101 column
            total += tf.reduce_sum(tf.ones([row, column])) * x
    return total


ENTRY = "table"
BEFORE = "error"
ERROR = "must be a compile-time constant"
REASON = "unroll|1600|100"


def inputs():
    return [tf.constant(0.5)]
