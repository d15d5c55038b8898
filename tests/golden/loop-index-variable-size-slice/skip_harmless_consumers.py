"""Without a gradient, what is reduced, compared or counted from a slice of runtime length is right."""

import tensorflow as tf


@tf.function(jit_compile=True)
def reductions(x):
    total = tf.constant(0.0)
    for i in tf.range(1, 4):
        total += tf.reduce_sum(x[:i]) + tf.reduce_max(x[i:]) + tf.reduce_mean(x[:i] * 2.0)
        total += tf.norm(x[:i]) + tf.cast(tf.size(x[i:]), tf.float32) + x[:i][0]
        total += tf.reduce_sum(tf.nn.softmax(x[:i]) ** 2)
    return total


ENTRY = "reductions"


def inputs():
    return [tf.constant([1.0, 2.0, -3.0, 4.0])]
