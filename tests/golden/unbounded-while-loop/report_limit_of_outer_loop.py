"""The limit is the counter of the loop around: no constant while XLA compiles, so it is no bound."""

import tensorflow as tf


@tf.function(jit_compile=True)
def slope(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        for i in tf.range(3):
            k = tf.constant(0)
            while k < i + 1:  # want: XLA102 `while` loop
                y = tf.sin(y)
                k += 1
    return y, tape.gradient(y, x)


ENTRY = "slope"
BEFORE = "error"
ERROR = "fixed tensor list size"
REASON = "computed in a loop"


def inputs():
    return [tf.constant(0.7)]
