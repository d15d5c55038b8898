"""Two `while`s, one in the other; the inner counter starts anew each time."""

import tensorflow as tf


@tf.function(jit_compile=True)
def gauss_seidel(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        sweep = tf.constant(0)
        while sweep < 3:  # want: XLA102 `while` loop
            tf.autograph.experimental.set_loop_options(maximum_iterations=3)
            inner = tf.constant(0)
            while inner < 2:  # want: XLA102 `while` loop
                tf.autograph.experimental.set_loop_options(maximum_iterations=2)
                y = 0.7 * tf.sin(y) + 0.1 * x
                inner += 1
            y = y * y
            sweep += 1
    return y, tape.gradient(y, x)


ENTRY = "gauss_seidel"
BEFORE = "error"
ERROR = "fixed tensor list size"
WEAKEN = [("maximum_iterations=3", "maximum_iterations=2"), ("maximum_iterations=2", "maximum_iterations=1")]


def inputs():
    return [tf.constant([0.5, 1.0])]


def more_inputs():
    return [[tf.constant([0.0])], [tf.constant([[2.0]])]]
