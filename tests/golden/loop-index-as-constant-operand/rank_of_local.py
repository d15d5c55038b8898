"""The trip count is tf.rank of a tensor whose shape stands in the same function."""

import tensorflow as tf


@tf.function(jit_compile=True)
def grid_peaks(signal):
    grid = tf.reshape(signal, [2, 3, 4])
    peaks = tf.constant(0.0)
    for axis in tf.range(tf.rank(grid)):  # want: XLA101 axis
        peaks += tf.reduce_mean(tf.reduce_max(grid, axis=axis))
    return peaks


ENTRY = "grid_peaks"
BEFORE = "error"
ERROR = "must be a compile-time constant"
SAFETY = "safe"
WEAKEN = [("grid.shape.rank)", "grid.shape.rank - 1)"), ("grid.shape.rank)", "tf.rank(grid))")]


def inputs():
    return [tf.sin(tf.range(24, dtype=tf.float32))]


def more_inputs():
    return [[tf.zeros([24])]]
