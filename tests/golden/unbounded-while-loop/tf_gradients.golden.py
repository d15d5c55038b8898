"""tf.gradients sees everything in front of it, without a tape."""

import tensorflow as tf


@tf.function(jit_compile=True)
def slope(x):
    _, y = tf.while_loop(lambda k, y: k < 5, lambda k, y: (k + 1, y + 0.1 * tf.exp(-y)), (0, x), maximum_iterations=5)  # want: XLA102
    return y, tf.gradients(y, x)[0]


ENTRY = "slope"
BEFORE = "error"
ERROR = "fixed tensor list size"
MODES = ["graph"]  # there is no tf.gradients in eager mode
WEAKEN = [("maximum_iterations=5", "maximum_iterations=4")]


def inputs():
    return [tf.constant([0.5, 1.5])]


def more_inputs():
    return [[tf.constant([0.0])], [tf.constant([[2.0]])]]
