"""The loop extends its own limit."""

import tensorflow as tf


@tf.function(jit_compile=True)
def slope(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        limit = tf.constant(2)
        k = tf.constant(0)
        y = x
        while k < limit:  # want: XLA102 `while` loop
            y = 0.7 * y * tf.cos(y)
            if tf.reduce_max(y) > 0.6:
                limit = limit + 1
            k += 1
    return tape.gradient(y, x)


ENTRY = "slope"
BEFORE = "error"
ERROR = "fixed tensor list size"
REASON = "the limit `limit` changes in the loop"


def inputs():
    return [tf.constant([0.5, 1.5])]
