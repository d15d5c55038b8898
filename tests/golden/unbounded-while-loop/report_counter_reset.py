"""A restart sets the counter back."""

import tensorflow as tf


@tf.function(jit_compile=True)
def slope(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        patience = tf.constant(0)
        y = x
        while patience < 3:  # want: XLA102 `while` loop
            y = 0.7 * y * tf.cos(y)
            patience += 1
            if tf.reduce_max(y) > 0.6:
                patience = tf.constant(0)
    return tape.gradient(y, x)


ENTRY = "slope"
BEFORE = "error"
ERROR = "fixed tensor list size"
REASON = "`patience` is assigned in more than one place"


def inputs():
    return [tf.constant([0.5, 1.5])]
