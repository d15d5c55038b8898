"""The compiled caller hands in one condition, an eager caller another."""

import tensorflow as tf


def iterate(more, x):
    return tf.while_loop(more, lambda k, y: (k + 1, tf.sin(y)), (0, x))[1]  # want: XLA102 while_loop


@tf.function(jit_compile=True)
def slope(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = iterate(lambda k, y: k < 3, x)
    return y, tape.gradient(y, x)


def run(x):
    return slope(x), iterate(lambda k, y: k < 8, x)


ENTRY = "run"
BEFORE = "error"
ERROR = "fixed tensor list size"
REASON = "more than one function may be the condition"


def inputs():
    return [tf.constant([0.5, 1.0])]
