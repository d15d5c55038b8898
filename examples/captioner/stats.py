"""Statistics of an image, axis by axis."""

import tensorflow as tf

from .config import IMAGE_AXES


def contrast(image):
    """Spread of the mean brightness along the height, the width and the channels, averaged."""
    total = tf.constant(0.0)
    for axis in tf.range(IMAGE_AXES):
        profile = tf.reduce_mean(image, axis=axis)
        total += tf.reduce_max(profile) - tf.reduce_min(profile)
    return total / IMAGE_AXES
