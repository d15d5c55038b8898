"""The size of tf.image.resize is computed from the index of a tensor loop."""

import tensorflow as tf

BASE = 2


@tf.function(jit_compile=True)
def scale_space(image):
    response = tf.constant(0.0)
    for s in range(1, 4):  # want: XLA101 `?s`?
        small = tf.image.resize(image, [BASE * s, BASE * s])
        response += tf.reduce_max(small) - tf.reduce_mean(small)
    return response


ENTRY = "scale_space"
BEFORE = "error"
ERROR = "must be a compile-time constant"
SAFETY = "safe"  # the trip count is a literal
WEAKEN = [("range(1, 4)", "range(1, 3)")]


def inputs():
    return [tf.reshape(tf.sin(tf.range(64, dtype=tf.float32)), [1, 8, 8, 1])]


def more_inputs():
    return [[tf.ones([2, 4, 4, 1])]]
