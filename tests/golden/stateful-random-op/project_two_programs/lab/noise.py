import tensorflow as tf


def jitter(x):
    """Any of the axes may be moved."""
    return x + tf.random.normal(tf.shape(x))  # want: XLA201 normal
