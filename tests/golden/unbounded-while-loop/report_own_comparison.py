"""A function of the project's own that is called `less`."""

import tensorflow as tf


def less(a, b):
    return a < 2 * b


@tf.function(jit_compile=True)
def slope(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        k, y = tf.constant(0), x
        while less(k, 3):  # want: XLA102 `while` loop
            y = tf.sin(y)
            k += 1
    return y, tape.gradient(y, x)


ENTRY = "slope"
BEFORE = "error"
ERROR = "fixed tensor list size"
REASON = "no part of the condition compares a counter"


def inputs():
    return [tf.constant([0.5, 1.0])]
