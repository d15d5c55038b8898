"""Adding a constant saves nothing (multiplying by one would); the same in a tf.while_loop, and for two names at once."""

import tensorflow as tf


@tf.function(jit_compile=True)
def slope(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        k = tf.constant(0)
        y = x
        while k < 5:
            y = y + 2.0
            k += 1
        _, y = tf.while_loop(lambda k, y: k < 5, lambda k, y: (k + 1, y + x), (0, y))
        k, a, b = tf.constant(0), y, x
        while k < 3:
            k, a, b = k + 1, b, a + b
    return tape.gradient(b, x)


ENTRY = "slope"


def inputs():
    return [tf.constant([0.5, 0.7])]
