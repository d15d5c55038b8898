import tensorflow as tf


def largest_marginal(x):
    best = tf.constant(0.0)
    for axis in range(2):
        best = tf.maximum(best, tf.reduce_max(tf.abs(tf.reduce_sum(x, axis=axis))))
    return best
