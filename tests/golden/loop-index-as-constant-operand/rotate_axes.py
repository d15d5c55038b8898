"""The permutation of tf.transpose is built from the index of a tensor loop, inside a helper."""

import tensorflow as tf

NUM_VIEWS = 3


def rotate_axes(cube, k):
    return tf.transpose(cube, perm=[k % 3, (k + 1) % 3, (k + 2) % 3])


@tf.function(jit_compile=True)
def multi_view_energy(cube):
    energy = tf.constant(0.0)
    for view in tf.range(NUM_VIEWS):  # want: XLA101 view
        rotated = rotate_axes(cube, view)
        energy += tf.reduce_sum(rotated * cube) * tf.cast(view + 1, tf.float32)
    return energy


ENTRY = "multi_view_energy"
BEFORE = "error"
ERROR = "must be a compile-time constant"
SAFETY = "safe"  # the trip count is a module constant
WEAKEN = [("range(NUM_VIEWS)", "range(NUM_VIEWS - 1)")]


def inputs():
    return [tf.reshape(tf.cos(tf.range(27, dtype=tf.float32)), [3, 3, 3])]


def more_inputs():
    return [[tf.reshape(tf.range(8, dtype=tf.float32), [2, 2, 2])]]
