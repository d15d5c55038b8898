import tensorflow as tf


def marginal_spread(x, axes):
    """Sum of the spread of the marginals along the first `axes` axes."""
    total = tf.constant(0.0)
    for k in range(axes):  # want: XLA101 k
        marginal = tf.reduce_mean(x, axis=k)
        total += tf.math.reduce_std(marginal)
    return total
