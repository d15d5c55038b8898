"""The limit travels with the loop variables."""

import tensorflow as tf


@tf.function(jit_compile=True)
def slope(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        _, _, y = tf.while_loop(  # want: XLA102 while_loop
            lambda k, limit, y: k < limit,
            lambda k, limit, y: (k + 1, tf.where(y > 0.6, limit + 1, limit), 0.7 * y * tf.cos(y)),
            (0, 2, x),
        )
    return tape.gradient(y, x)


ENTRY = "slope"
BEFORE = "error"
ERROR = "fixed tensor list size"
REASON = "the limit depends on `limit`, which the loop changes"


def inputs():
    return [tf.constant(1.5)]
