"""Both kinds of loop have a bound."""

import tensorflow as tf


@tf.function(jit_compile=True)
def slope(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.while_loop(lambda y: y < 9.0, lambda y: (y * y,), (x,), None, 10, True, False, 8)[0]
        k = tf.constant(0)
        while k < 3:
            tf.autograph.experimental.set_loop_options(maximum_iterations=3)
            y = tf.sin(y)
            k += 1
    return tape.gradient(y, x)


ENTRY = "slope"


def inputs():
    return [tf.constant(1.5)]
