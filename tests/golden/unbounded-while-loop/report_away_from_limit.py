"""The counter goes up and the limit is below: only the other part ends the loop."""

import tensorflow as tf


@tf.function(jit_compile=True)
def slope(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        k = tf.constant(1)
        y = x
        while k > 0 and tf.reduce_max(y) > 0.2:  # want: XLA102 `while` loop
            y = 0.7 * y * tf.cos(y)
            k += 1
    return tape.gradient(y, x)


ENTRY = "slope"
BEFORE = "error"
ERROR = "fixed tensor list size"
REASON = "does not reach its limit"


def inputs():
    return [tf.constant([0.5, 1.5])]
