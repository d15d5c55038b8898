"""The condition itself asks for the dimension: the bound asks again, in front of the loop."""

import tensorflow as tf


@tf.function(jit_compile=True)
def chained(frames, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        _, y = tf.while_loop(  # want: XLA102 while_loop
            lambda i, y: i < tf.shape(frames)[0] - 1, lambda i, y: (i + 1, tf.tanh(y * frames[i] + frames[i + 1])), (0, x), maximum_iterations=tf.shape(frames)[0] - 1
        )
    return y, tape.gradient(y, x)


ENTRY = "chained"
BEFORE = "error"
ERROR = "fixed tensor list size"
WEAKEN = [("maximum_iterations=tf.shape(frames)[0] - 1", "maximum_iterations=tf.shape(frames)[0] - 2")]


def inputs():
    return [tf.constant([0.5, 1.0, 1.5]), tf.constant(0.3)]


def more_inputs():
    return [[tf.constant([1.0, 2.0]), tf.constant(0.1)], [tf.constant([0.1, 0.2, 0.3, 0.4, 0.5]), tf.constant(0.7)]]
