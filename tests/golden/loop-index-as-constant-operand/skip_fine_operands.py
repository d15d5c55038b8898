"""The index stands only where a tensor is welcome: indices, shifts, values, depths of bands, seeds."""

import tensorflow as tf


@tf.function(jit_compile=True)
def tour(x, square):
    total = tf.constant(0.0)
    for i in tf.range(3):
        total += x[i] + x[-i] + tf.gather(x, i) + tf.reduce_sum(tf.roll(x, i, axis=0) * x)
        total += tf.reduce_sum(tf.pad(x, [[1, 1]], constant_values=tf.cast(i, tf.float32)))
        total += tf.reduce_sum(tf.fill([2], tf.cast(i, tf.float32))) + tf.reduce_sum(tf.one_hot(i, 3) * x)
        total += tf.reduce_sum(tf.linspace(0.0, tf.cast(i, tf.float32), 4))
        total += tf.reduce_sum(tf.cast(tf.sequence_mask(i, 3), tf.float32) * x)
        total += tf.reduce_sum(tf.linalg.band_part(square, i, 0))
        total += tf.reduce_sum(tf.slice(x, [i], [1])) + tf.cast(i // 2 + i % 3, tf.float32)
        x = tf.tensor_scatter_nd_update(x, [[i]], [total])
        if i == 1:
            total *= 0.5
    return total


ENTRY = "tour"


def inputs():
    return [tf.constant([1.0, -2.0, 3.0]), tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]])]
