"""The condition is arithmetic of an argument: nothing but the call says that it is a tensor."""

import tensorflow as tf


@tf.function(jit_compile=True)
def slope(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = 0.5 * x
        while y > 0.1:  # want: XLA102 `while` loop
            y = y * 0.5
    return tape.gradient(y, x)


ENTRY = "slope"
BEFORE = "error"
ERROR = "fixed tensor list size"
REASON = "no bound can be proved"


def inputs():
    return [tf.constant(0.7)]
