"""All rows of a Jacobian go through the loop backwards."""

import tensorflow as tf


@tf.function(jit_compile=True)
def stability(matrix, x):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        k = tf.constant(0)
        y = x
        while k < 4:  # want: XLA102 `while` loop
            y = tf.tanh(tf.linalg.matvec(matrix, y))
            k += 1
    return tape.jacobian(y, x, experimental_use_pfor=False)


ENTRY = "stability"
BEFORE = "error"
ERROR = "fixed tensor list size"
WEAKEN = [("maximum_iterations=4", "maximum_iterations=3")]


def inputs():
    return [tf.constant([[0.5, 1.0], [-1.0, 0.3]]), tf.constant([0.2, 0.4])]


def more_inputs():
    return [[tf.constant([[1.0]]), tf.constant([0.5])], [tf.eye(3), tf.constant([0.1, 0.2, 0.3])]]
