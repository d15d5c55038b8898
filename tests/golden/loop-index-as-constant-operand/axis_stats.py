"""The reduction axis is the index of a tensor loop; the number of steps is the static rank."""

import tensorflow as tf


@tf.function(jit_compile=True)
def axis_summary(volume):
    """Average of the per-axis maxima of a dense volume."""
    total = tf.zeros([], volume.dtype)
    for axis in tf.range(volume.shape.rank):  # want: XLA101 axis
        total += tf.reduce_mean(tf.reduce_max(volume, axis=axis))
    return total / tf.cast(tf.rank(volume), volume.dtype)


ENTRY = "axis_summary"
BEFORE = "error"
ERROR = "must be a compile-time constant"
SAFETY = "safe"  # the loop already runs over the static rank
WEAKEN = [("range(volume.shape.rank)", "range(volume.shape.rank - 1)"), ("in range(", "in tf.range(")]


def inputs():
    return [tf.reshape(tf.sin(tf.range(24, dtype=tf.float32)), [2, 3, 4])]


def more_inputs():
    return [[tf.constant([3.0])], [tf.constant(2.5)]]
