"""The counter counts accepted steps only."""

import tensorflow as tf


@tf.function(jit_compile=True)
def slope(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        accepted = tf.constant(0)
        y = x
        while accepted < 3:  # want: XLA102 `while` loop
            y = 0.7 * y * tf.cos(y)
            if tf.reduce_max(y) < 0.5:
                accepted += 1
    return tape.gradient(y, x)


ENTRY = "slope"
BEFORE = "error"
ERROR = "fixed tensor list size"
REASON = "`accepted` is not updated in every iteration"


def inputs():
    return [tf.constant([0.5, 1.5])]
