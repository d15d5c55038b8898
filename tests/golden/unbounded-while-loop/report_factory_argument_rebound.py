"""The condition was made with another value than the name has at the loop."""

import tensorflow as tf


def until(limit):
    return lambda k, y: k < limit


@tf.function(jit_compile=True)
def slope(x):
    n = x.shape[0]
    with tf.GradientTape() as tape:
        tape.watch(x)
        more = until(n)
        n = n - 2
        _, y = tf.while_loop(more, lambda k, y: (k + 1, tf.sin(y)), (0, x))  # want: XLA102 while_loop
    return y[:n], tape.gradient(y, x)


ENTRY = "slope"
BEFORE = "error"
ERROR = "fixed tensor list size"
REASON = "`limit` has no name where the loop is called"


def inputs():
    return [tf.constant([0.5, 1.0, 2.0, 0.1])]
