"""The loop variable is rebound to a Python int before it is used as an axis, and shadowed in a lambda."""

import tensorflow as tf


@tf.function(jit_compile=True)
def shadowed(x):
    total = tf.constant(0.0)
    for i in tf.range(2):
        total += x[i, 0]
        axis = 1
        total += tf.reduce_sum(tf.reduce_max(x, axis=axis))
        pick = lambda i: tf.reduce_sum(x, axis=i)
        total += tf.reduce_sum(pick(0))
    return total


ENTRY = "shadowed"


def inputs():
    return [tf.constant([[1.0, 2.0], [3.0, 4.0]])]
