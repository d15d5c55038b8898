import tensorflow as tf


@tf.function(jit_compile=True)
def present_value(rate, payments):
    value = tf.constant(0.0)
    for year in tf.range(tf.shape(payments)[0]):
        value = (value + payments[year]) / (1.0 + rate)
    return value
