"""The derivative is given up already."""

import tensorflow as tf


@tf.function(jit_compile=True)
def slope(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        _, scale = tf.while_loop(lambda k, s: k < 4, lambda k, s: (k + 1, s * tf.cos(s)), (0, x), back_prop=False)
        y = x * scale
    return tape.gradient(y, x)


ENTRY = "slope"


def inputs():
    return [tf.constant([0.5, 1.5])]
