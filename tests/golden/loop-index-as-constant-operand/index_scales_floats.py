"""The index is an axis and also data that is cast explicitly; the casts must stay."""

import tensorflow as tf


@tf.function(jit_compile=True)
def weighted_expand(x):
    acc = tf.constant(0.0)
    for i in tf.range(1, 3):  # want: XLA101 `?i`?
        part = tf.expand_dims(x, axis=i)
        acc += tf.reduce_sum(part) * tf.cast(i, x.dtype) / 2 + tf.cast(i / 2, tf.float32) + tf.cast(i // 2, tf.float32)
    return acc


ENTRY = "weighted_expand"
BEFORE = "error"
ERROR = "must be a compile-time constant"
SAFETY = "safe"  # the trip count is a literal, and the casts give the same values for a Python int
WEAKEN = [("range(1, 3)", "range(1, 2)")]


def inputs():
    return [tf.constant([[1.0, 2.0], [3.0, 4.5]])]


def more_inputs():
    return [[tf.constant([[1.0]])]]
