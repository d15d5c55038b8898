"""Sliding windows over one-dimensional signals."""
import tensorflow as tf


def window_energy(signal, width):
    """Energy of every window of `width` samples; empty if the signal is shorter than that."""
    count = tf.shape(signal)[0] - width + 1
    energies = tf.TensorArray(tf.float32, size=count, dynamic_size=False, element_shape=[])  # want: XLA103 TensorArray
    for start in tf.range(count):
        energies = energies.write(start, tf.reduce_sum(tf.square(tf.slice(signal, [start], [width]))))
    return energies.stack()
