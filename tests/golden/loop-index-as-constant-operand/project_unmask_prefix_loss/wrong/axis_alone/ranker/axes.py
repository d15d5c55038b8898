import tensorflow as tf

from .settings import AXES


def contrast(maps):
    total = tf.constant(0.0)
    for axis in range(AXES):  # want: XLA101 axis
        total += tf.reduce_mean(tf.reduce_max(maps, axis=axis) - tf.reduce_min(maps, axis=axis))
    return total
