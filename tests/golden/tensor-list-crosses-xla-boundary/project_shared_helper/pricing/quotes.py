import tensorflow as tf

from .greeks import delta


@tf.function
def quote(rate, payments):
    value, slope = delta(rate, payments)
    return value - 0.001 * slope
