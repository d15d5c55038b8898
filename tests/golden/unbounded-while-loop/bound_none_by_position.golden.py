"""All arguments by position, the bound among them: it is None."""

import tensorflow as tf


@tf.function(jit_compile=True)
def slope(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        _, y = tf.while_loop(  # want: XLA102 while_loop
            lambda k, y: k < 6, lambda k, y: (k + 1, tf.sin(y)), (0, x), None, 10, True, False, 6
        )
    return tape.gradient(y, x)


ENTRY = "slope"
BEFORE = "error"
ERROR = "fixed tensor list size"
WEAKEN = [("False, 6", "False, 5")]


def inputs():
    return [tf.constant([0.5, 1.0])]


def more_inputs():
    return [[tf.constant(0.0)], [tf.constant([[2.0]])]]
