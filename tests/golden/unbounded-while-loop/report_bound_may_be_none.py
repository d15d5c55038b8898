"""The bound is a parameter: None for the compiled caller, a number for another one."""

import tensorflow as tf


def solve(x, most=None):
    return tf.while_loop(  # want: XLA102 while_loop
        lambda k, y: k < 6, lambda k, y: (k + 1, tf.sin(y)), (0, x), maximum_iterations=most
    )[1]


@tf.function(jit_compile=True)
def slope(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = solve(x)
    return tape.gradient(y, x)


def run(x):
    return solve(x, 2), slope(x)


ENTRY = "run"
BEFORE = "error"
ERROR = "fixed tensor list size"
REASON = "`maximum_iterations=most` may be None"


def inputs():
    return [tf.constant([0.5, 1.0])]
