"""How long the slices get is computed from data."""

import tensorflow as tf


@tf.function(jit_compile=True)
def ramp(x, lengths):
    total = tf.constant(0.0)
    for n in tf.range(1, tf.reduce_max(lengths)):  # want: XLA105 slice
        total += tf.reduce_sum(tf.cumsum(x[:n]))
    return total


ENTRY = "ramp"
BEFORE = "wrong"
REASON = "reduce_max|data|trip count|static|length"


def inputs():
    return [tf.constant([1.0, 2.0, 3.0, 4.0]), tf.constant([2, 4])]
