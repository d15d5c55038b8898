"""The trip count is known, but far too large to unroll."""

import tensorflow as tf

STEPS = 500


@tf.function(jit_compile=True)
def areas(x):
    total = tf.constant(0.0)
    for width in tf.range(1, STEPS):  # want: XLA101 width
        total += tf.reduce_sum(tf.ones([width])) * x
    return total


ENTRY = "areas"
BEFORE = "error"
ERROR = "must be a compile-time constant"
REASON = "unroll|499|500|100"


def inputs():
    return [tf.constant(0.5)]
