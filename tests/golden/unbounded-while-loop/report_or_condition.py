"""With `or` the counter alone does not end the loop."""

import tensorflow as tf


@tf.function(jit_compile=True)
def slope(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.while_loop(  # want: XLA102 while_loop
            lambda k, y: tf.logical_or(k < 2, tf.reduce_max(y) > 0.1),
            lambda k, y: (k + 1, 0.5 * tf.sin(y)),
            (0, x),
        )[1]
    return tape.gradient(y, x)


ENTRY = "slope"
BEFORE = "error"
ERROR = "fixed tensor list size"
REASON = "no part of the condition compares a counter"


def inputs():
    return [tf.constant([0.5, 1.5])]
