"""ones_like of a suffix counts the padding; the trip count comes from tf.shape of a local tensor."""

import tensorflow as tf


@tf.function(jit_compile=True)
def remaining(x):
    y = tf.reshape(x, [4])
    total = tf.constant(0.0)
    for i in tf.range(tf.shape(y)[0]):  # want: XLA105 slice
        total += tf.reduce_sum(tf.ones_like(y[i:])) * y[i]
    return total


ENTRY = "remaining"
BEFORE = "wrong"
SAFETY = "safe"
WEAKEN = [("y.shape[0])", "tf.shape(y)[0])"), ("y.shape[0])", "y.shape[0] - 1)")]


def inputs():
    return [tf.constant([[1.0, 2.0], [3.0, 4.0]])]


def more_inputs():
    return [[tf.constant([5.0, 1.0, 7.0, -2.0])]]
