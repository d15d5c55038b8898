"""The call of tf.range goes over several lines and has comments: they must survive."""

import tensorflow as tf


@tf.function(jit_compile=True)
def weigh(x):
    total = tf.constant(0.0)
    # want: XLA101 axis
    for axis in tf.range(
        0,  # the batch
        2,  # up to and without the channels
    ):
        total += tf.reduce_mean(tf.reduce_max(x, axis=axis))  # a mean of maxima
    return total


ENTRY = "weigh"
BEFORE = "error"
ERROR = "must be a compile-time constant"
SAFETY = "safe"
WEAKEN = [("        2,  # up", "        1,  # up")]


def inputs():
    return [tf.reshape(tf.sin(tf.range(12, dtype=tf.float32)), [2, 3, 2])]


def more_inputs():
    return [[tf.ones([1, 1, 1])]]
