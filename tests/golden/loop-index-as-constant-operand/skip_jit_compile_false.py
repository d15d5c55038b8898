"""jit_compile=False, and an eager function: nothing here is compiled."""

import tensorflow as tf


def eager_profile(x):
    return [tf.reduce_sum(tf.reduce_max(x, axis=axis)) for axis in tf.range(2)]


@tf.function(jit_compile=False)
def interpreted(x):
    total = tf.constant(0.0)
    for axis in tf.range(2):
        total += tf.reduce_max(tf.reduce_sum(x, axis=axis))
    return total


def run(x):
    return eager_profile(x), interpreted(x)


ENTRY = "run"


def inputs():
    return [tf.constant([[1.0, 2.0], [3.0, 4.0]])]
