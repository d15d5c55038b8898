"""A `while` in a plain tf.function, which a compiled function differentiates."""

import tensorflow as tf


@tf.function
def cooled(x):
    k = tf.constant(0)
    while k < 6:  # want: XLA102 `while` loop
        tf.autograph.experimental.set_loop_options(maximum_iterations=6)
        x = x * 0.9 + 0.1 * tf.sin(x)
        k += 1
    return x


@tf.function(jit_compile=True)
def slope(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = cooled(x)
    return tape.gradient(y, x)


def run(x):
    return cooled(x), slope(x)


ENTRY = "run"
BEFORE = "error"
ERROR = "fixed tensor list size"
WEAKEN = [("maximum_iterations=6", "maximum_iterations=5")]


def inputs():
    return [tf.constant(0.7)]


def more_inputs():
    return [[tf.constant([0.0])], [tf.constant([1.0, 2.0])]]
