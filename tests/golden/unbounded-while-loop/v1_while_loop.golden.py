"""The loop of compat.v1 takes the bound by keyword as well (by position its seventh is another thing)."""

import tensorflow as tf

tf1 = tf.compat.v1


@tf.function(jit_compile=True)
def horner(coefficients, x):
    degree = coefficients.shape[0]
    with tf.GradientTape() as tape:
        tape.watch(x)
        _, value = tf1.while_loop(  # want: XLA102 tf1\.while_loop
            lambda k, value: k < degree,
            lambda k, value: (k + 1, value * x + coefficients[k]),
            (tf.constant(0), tf.zeros_like(x)),
            None,
            10,
            maximum_iterations=degree,
        )
    return value, tape.gradient(value, x)


ENTRY = "horner"
BEFORE = "error"
ERROR = "fixed tensor list size"
WEAKEN = [("maximum_iterations=degree", "maximum_iterations=degree - 1"), ("maximum_iterations=degree", "maximum_iterations=None")]


def inputs():
    return [tf.constant([2.0, -1.0, 3.0]), tf.constant([2.0])]


def more_inputs():
    return [[tf.constant([1.0]), tf.constant([2.0])], [tf.constant([1.0, 2.0, 3.0, 4.0]), tf.constant([0.5, 1.5])]]
