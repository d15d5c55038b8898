"""Only the author knows how long it takes to settle; the comment says it."""

import tensorflow as tf

MAX_STEPS = 60


@tf.function(jit_compile=True)
def settle(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        while tf.reduce_max(tf.abs(y)) > 0.1:  # xlafix: bound=MAX_STEPS  # want: XLA102 `while` loop
            tf.autograph.experimental.set_loop_options(maximum_iterations=MAX_STEPS)
            y = 0.8 * y * tf.cos(0.1 * y)
    return y, tape.gradient(y, x)


ENTRY = "settle"
BEFORE = "error"
ERROR = "fixed tensor list size"
SAFETY = "unsafe"  # what the comment says
WEAKEN = [("maximum_iterations=MAX_STEPS", "maximum_iterations=9")]


def inputs():
    return [tf.constant([1.0, 2.0])]


def more_inputs():
    return [[tf.constant([0.01])], [tf.constant([[3.0]])]]
