"""The derivative of a sum needs nothing of its iterations."""

import tensorflow as tf


@tf.function(jit_compile=True)
def drift(x, rounds):
    y = x
    for _ in tf.range(rounds):
        y = y + x
    return y


@tf.function
def slope(x, rounds):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = drift(x, rounds)
    return tape.gradient(y, x)


ENTRY = "slope"


def inputs():
    return [tf.constant([1.0, 2.0]), tf.constant(3)]
