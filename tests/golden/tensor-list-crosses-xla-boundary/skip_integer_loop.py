"""The loop counts in whole numbers, which have no derivative."""

import tensorflow as tf


@tf.function(jit_compile=True)
def scaled(x, n):
    power = tf.constant(1)
    for _ in tf.range(n):
        power = power * 2
    return x * tf.cast(power, tf.float32)


@tf.function
def slope(x, n):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = scaled(x, n)
    return tape.gradient(y, x)


ENTRY = "slope"


def inputs():
    return [tf.constant([1.0, 2.0]), tf.constant(3)]
