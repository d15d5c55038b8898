"""The function that is compiled under another name is differentiated as it was written, without XLA."""

import tensorflow as tf


def fading(rate, x):
    for _ in tf.range(3):
        x = x * rate
    return x


fast_fading = tf.function(fading, jit_compile=True)


@tf.function
def slope(rate, x):
    with tf.GradientTape() as tape:
        tape.watch(rate)
        y = fading(rate, x)
    return tape.gradient(y, rate) + fast_fading(rate, x)


ENTRY = "slope"


def inputs():
    return [tf.constant(0.5), tf.constant(4.0)]
