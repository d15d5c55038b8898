import tensorflow as tf

from .settings import AXES


def total_per_axis(volume):
    """The largest marginal sum along each axis, added up."""
    total = tf.constant(0.0)
    for axis in range(AXES):  # want: XLA101 axis
        total += tf.reduce_max(tf.reduce_sum(volume, axis=axis))
    return total
