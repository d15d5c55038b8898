"""A Python loop is unrolled, also one that writes into a TensorArray."""

import tensorflow as tf


@tf.function(jit_compile=True)
def iterates(x):
    steps = tf.TensorArray(tf.float32, size=3)
    for k in range(3):
        x = tf.sin(x) * 0.5
        steps = steps.write(k, x)
    return steps.stack()


@tf.function
def slope(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = iterates(x)
    return tape.gradient(y, x)


ENTRY = "slope"


def inputs():
    return [tf.constant([1.0, 2.0])]
