"""Eager callers compare the list of loop variables with the tuple that the body returns."""

import tensorflow as tf


def grow(x, rounds):
    _, y = tf.while_loop(lambda k, y: k < 3, lambda k, y: (k + 1, y * tf.cos(y)), (0, x), maximum_iterations=3)  # want: XLA102 while_loop
    return y


@tf.function(jit_compile=True)
def slope(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = grow(x, 3)
    return tape.gradient(y, x)


def run(x):
    return grow(x, 3), slope(x)


ENTRY = "run"
BEFORE = "error"
ERROR = "fixed tensor list size"
SAFETY = "unsafe"  # nothing needs the result as a list
WEAKEN = [("maximum_iterations=3", "maximum_iterations=2"), ("(0, x)", "[0, x]")]


def inputs():
    return [tf.constant([0.5, 1.0])]


def more_inputs():
    return [[tf.constant(0.0)], [tf.constant([[2.0]])]]
