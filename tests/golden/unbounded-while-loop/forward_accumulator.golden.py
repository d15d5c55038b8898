"""Forward mode needs the bound as well."""

import tensorflow as tf


@tf.function(jit_compile=True)
def directional(x, direction):
    with tf.autodiff.ForwardAccumulator(x, direction) as forward:
        _, y = tf.while_loop(lambda k, y: k < 3, lambda k, y: (k + 1, y * tf.sin(y)), (0, x), maximum_iterations=3)  # want: XLA102
    return y, forward.jvp(y)


ENTRY = "directional"
BEFORE = "error"
ERROR = "fixed tensor list size"
WEAKEN = [("maximum_iterations=3", "maximum_iterations=2")]


def inputs():
    return [tf.constant([0.5, 1.5]), tf.constant([1.0, 0.0])]


def more_inputs():
    return [[tf.constant([0.0]), tf.constant([1.0])], [tf.constant([[2.0]]), tf.constant([[0.5]])]]
