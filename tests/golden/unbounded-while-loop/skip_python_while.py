"""The counter is a Python number: the loop is unrolled while tracing."""

import tensorflow as tf


@tf.function(jit_compile=True)
def slope(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        k, y = 0, x
        while k < 4:
            y = tf.sin(y)
            k += 1
        width = x.shape[0]
        while width > 1:
            y = y * 0.5
            width //= 2
    return tape.gradient(y, x)


ENTRY = "slope"


def inputs():
    return [tf.constant([0.5, 1.5])]
