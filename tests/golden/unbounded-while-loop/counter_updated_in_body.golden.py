"""The counter is a name that the body changes before it returns it; the limit stands on the left."""

import tensorflow as tf


def unroll(x, rounds):
    def body(k, y):
        y = tf.sin(y) + x
        k = tf.add(k, 1)
        return [k, y]

    return tf.while_loop(lambda k, y: rounds > k, body, [0, x], maximum_iterations=rounds)  # want: XLA102 while_loop


@tf.function(jit_compile=True)
def slope(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        _, y = unroll(x, rounds=6)
    return tape.gradient(y, x)


ENTRY = "slope"
BEFORE = "error"
ERROR = "fixed tensor list size"
WEAKEN = [("maximum_iterations=rounds", "maximum_iterations=rounds - 1")]


def inputs():
    return [tf.constant([0.5, 1.0])]


def more_inputs():
    return [[tf.constant(0.0)], [tf.constant([[2.0]])]]
