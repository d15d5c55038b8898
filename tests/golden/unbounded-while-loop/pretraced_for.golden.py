"""The helper was traced as a plain graph before: its loop got no bound then."""

import tensorflow as tf


@tf.function
def unrolled(x, steps):
    for _ in tf.range(steps):  # want: XLA102 `unrolled` is traced before
        tf.autograph.experimental.set_loop_options(maximum_iterations=steps)
        x = tf.sin(x) * 1.5
    return x


@tf.function(jit_compile=True)
def slope(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = unrolled(x, 3)
    return tape.gradient(y, x)


def run(x):
    preview = unrolled(x, 3)
    return preview, slope(x)


ENTRY = "run"
BEFORE = "error"
ERROR = "fixed tensor list size"
WEAKEN = [("maximum_iterations=steps", "maximum_iterations=steps - 1")]


def inputs():
    return [tf.constant(0.7)]


def more_inputs():
    return [[tf.constant([0.0])], [tf.constant([1.0, 2.0])]]
