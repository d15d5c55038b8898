"""The start is a known number, the limit inclusive, the step two."""

import tensorflow as tf


@tf.function(jit_compile=True)
def odd_product(x):
    last = x.shape[0] - 1
    with tf.GradientTape() as tape:
        tape.watch(x)
        _, product = tf.while_loop(lambda i, p: i <= last, lambda i, p: (i + 2, p * x[i]), (1, 1.0))  # want: XLA102
    return product, tape.gradient(product, x)


ENTRY = "odd_product"
BEFORE = "error"
ERROR = "fixed tensor list size"
WEAKEN = [("(last + 1) // 2", "last // 2")]


def inputs():
    return [tf.constant([1.0, 2.0, 3.0, 4.0])]


def more_inputs():
    return [[tf.constant([3.0, 1.5, 2.5, 1.25, 0.5])], [tf.constant([4.0, 2.0])]]
