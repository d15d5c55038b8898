"""`&` of two comparisons is a logical and."""

import tensorflow as tf


@tf.function(jit_compile=True)
def slope(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        _, y = tf.while_loop(  # want: XLA102 while_loop
            lambda k, y: (k < 4) & (y[0] > 0.1), lambda k, y: (k + 1, tf.sin(y)), (0, x), maximum_iterations=4
        )
    return y, tape.gradient(y, x)


ENTRY = "slope"
BEFORE = "error"
ERROR = "fixed tensor list size"
WEAKEN = [("maximum_iterations=4", "maximum_iterations=3")]


def inputs():
    return [tf.constant([0.7, 0.1])]
