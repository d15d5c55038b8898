import tensorflow as tf

from .registry import register


@register("axis_energy")
def axis_energy(x, rank):
    total = tf.constant(0.0)
    for axis in range(rank):  # want: XLA101 axis
        total += tf.reduce_sum(tf.square(tf.reduce_sum(x, axis=axis)))
    return total


@register("axis_shift")
def axis_shift(x, rank):
    shifted = x
    for k in tf.range(rank):  # want: XLA101 k
        last = rank - 1 - k
        shifted = shifted + 0.5 * tf.roll(x, shift=1, axis=last)
    return tf.reduce_sum(shifted * x)


@register("row_peaks")
def row_peaks(x, rank):
    total = tf.constant(0.0)
    for row in tf.range(rank):
        total += tf.reduce_max(x[row])
    return total
