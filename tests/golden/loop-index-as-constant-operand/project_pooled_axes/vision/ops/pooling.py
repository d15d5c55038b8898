import lib.compat as tf

from ..config import DECAY, SPATIAL_AXES

__all__ = ["strongest"]


def strongest(maps):
    """Mean of the strongest response along the height, then along the width.

    maps: [height, width, channels], float32. Returns a scalar.
    """
    total = tf.constant(0.0)
    for axis in tf.range(SPATIAL_AXES):  # want: XLA101 axis
        peak = tf.reduce_max(maps, axis=axis)
        total = DECAY * total + tf.reduce_mean(peak)
    return total
