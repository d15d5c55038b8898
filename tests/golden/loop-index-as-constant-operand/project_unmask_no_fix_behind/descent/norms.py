import tensorflow as tf


def largest_marginal(x):
    best = tf.constant(0.0)
    for axis in tf.range(2):  # want: XLA101 axis
        best = tf.maximum(best, tf.reduce_max(tf.abs(tf.reduce_sum(x, axis=axis))))
    return best
