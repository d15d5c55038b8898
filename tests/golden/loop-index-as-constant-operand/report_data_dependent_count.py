"""The number of iterations is computed from data: no static trip count exists."""

import tensorflow as tf


@tf.function(jit_compile=True)
def ramps(x, lengths):
    total = tf.constant(0.0)
    for n in tf.range(1, tf.reduce_max(lengths)):  # want: XLA101 `?n`?
        total += tf.reduce_sum(tf.ones([n])) * x[0]
    return total


ENTRY = "ramps"
BEFORE = "error"
ERROR = "must be a compile-time constant"
REASON = "reduce_max|data|trip count|static|length"


def inputs():
    return [tf.constant([2.0, 3.0]), tf.constant([2, 4])]
