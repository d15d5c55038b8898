"""The limit of the inner loop is the counter of the outer one: XLA does not know it, and sizes no list by it."""

import tensorflow as tf


@tf.function(jit_compile=True)
def triangle(x):
    def row(i, y):
        _, y = tf.while_loop(lambda j, y: j < i, lambda j, y: (j + 1, tf.sin(y) + x), (0, y))  # want: XLA102 while_loop
        return i + 1, y

    with tf.GradientTape() as tape:
        tape.watch(x)
        _, y = tf.while_loop(lambda i, y: i < 3, row, (0, x), maximum_iterations=3)
    return y, tape.gradient(y, x)


ENTRY = "triangle"
BEFORE = "error"
ERROR = "fixed tensor list size|must be a compile-time constant"
REASON = "of another loop"


def inputs():
    return [tf.constant([0.5, 0.7])]
