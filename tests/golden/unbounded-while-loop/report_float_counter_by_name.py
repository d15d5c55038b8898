"""A counter of a float type, whose name is elsewhere: a horizon of 2.5 makes three rounds, not two."""

import tensorflow as tf

DTYPE = tf.float32


@tf.function(jit_compile=True)
def slope(x, horizon):
    with tf.GradientTape() as tape:
        tape.watch(x)
        t = tf.constant(0, DTYPE)
        y = x
        while t < horizon:  # want: XLA102 `while` loop
            y = tf.sin(y)
            t += 1
    return y, tape.gradient(y, x)


ENTRY = "slope"
BEFORE = "error"
ERROR = "fixed tensor list size"
REASON = "the counter that `horizon` limits is not known to be an integer"


def inputs():
    return [tf.constant([0.5, 1.0]), tf.constant(2.5)]
