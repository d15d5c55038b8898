"""Python loops already: over range, over a list of axes, over a tuple."""

import tensorflow as tf

AXES = [0, 1]


@tf.function(jit_compile=True)
def profile(x):
    total = tf.constant(0.0)
    for axis in range(x.shape.rank):
        total += tf.reduce_max(tf.reduce_sum(x, axis=axis))
    for axis in AXES:
        total -= tf.reduce_min(tf.reduce_sum(x, axis=axis))
    for width, axis in ((1, 0), (2, 1)):
        total += tf.reduce_sum(tf.roll(x, 1, axis=axis) * tf.ones([width, 1]))
    axis = 0
    while axis < 2:
        total *= tf.reduce_mean(tf.reduce_mean(x, axis=axis))
        axis += 1
    return total


ENTRY = "profile"


def inputs():
    return [tf.constant([[1.0, 2.0], [3.0, 4.0]])]
