"""The range has a name and is also used as data: only the loop changes."""

import tensorflow as tf


@tf.function(jit_compile=True)
def profile(x):
    axes = tf.range(2)
    total = tf.cast(tf.reduce_sum(axes), tf.float32)
    for axis in range(2):  # want: XLA101 axis
        total += tf.reduce_mean(tf.reduce_max(x, axis=axis))
    return total, axes


ENTRY = "profile"
BEFORE = "error"
ERROR = "must be a compile-time constant"
SAFETY = "safe"
WEAKEN = [("in range(2)", "in range(1)"), ("in range(2)", "in axes")]


def inputs():
    return [tf.constant([[1.0, 2.0, 3.0], [0.0, 5.0, -1.0]])]


def more_inputs():
    return [[tf.constant([[7.0]])]]
