"""Only the data ends the loop."""

import tensorflow as tf


@tf.function(jit_compile=True)
def slope(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        while tf.reduce_max(tf.abs(y)) > 0.1:  # want: XLA102 `while` loop
            y = 0.5 * tf.sin(y)
    return tape.gradient(y, x)


ENTRY = "slope"
BEFORE = "error"
ERROR = "fixed tensor list size"
REASON = "no part of the condition compares a counter"


def inputs():
    return [tf.constant([0.5, 1.5])]
