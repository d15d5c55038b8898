"""The limit is an argument of the compiled function: a tensor of one element would do in the condition, but not as a bound."""

import tensorflow as tf


@tf.function(jit_compile=True)
def slope(x, n):
    with tf.GradientTape() as tape:
        tape.watch(x)
        _, y = tf.while_loop(lambda k, y: k < n, lambda k, y: (k + 1, tf.sin(y)), (0, x), maximum_iterations=n)  # want: XLA102 while_loop
    return tape.gradient(y, x)


ENTRY = "slope"
BEFORE = "error"
ERROR = "fixed tensor list size"
SAFETY = "unsafe"  # `n` is a single number
WEAKEN = [("maximum_iterations=n", "maximum_iterations=n - 1")]


def inputs():
    return [tf.constant([0.5, 1.0]), tf.constant(3)]


def more_inputs():
    return [[tf.constant(0.0), 1], [tf.constant([[2.0]]), tf.constant(5)]]
