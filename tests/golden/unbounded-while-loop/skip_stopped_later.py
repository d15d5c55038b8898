"""The result of the loop is stopped one statement later."""

import tensorflow as tf


@tf.function(jit_compile=True)
def slope(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        _, target = tf.while_loop(lambda k, y: k < 5, lambda k, y: (k + 1, tf.sin(y)), (0, x))
        target = tf.stop_gradient(target)
        z = x * target
    return tape.gradient(z, x)


ENTRY = "slope"


def inputs():
    return [tf.constant([0.5, 0.7])]
