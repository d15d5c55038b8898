"""The limit is a dimension that only the running graph knows."""

import tensorflow as tf


@tf.function(jit_compile=True)
def filtered(signal, decay):
    with tf.GradientTape() as tape:
        tape.watch(decay)
        size = tf.shape(signal)[0]
        _, level = tf.while_loop(  # want: XLA102 while_loop
            cond=lambda i, level: i < size,
            body=lambda i, level: (i + 1, decay * level + signal[i]),
            loop_vars=(0, 0.0),
            name="filter",
            maximum_iterations=size,
        )
    return level, tape.gradient(level, decay)


ENTRY = "filtered"
BEFORE = "error"
ERROR = "fixed tensor list size"
WEAKEN = [("maximum_iterations=size", "maximum_iterations=size - 1")]


def inputs():
    return [tf.constant([1.0, 2.0, 3.0]), tf.constant(0.5)]


def more_inputs():
    return [[tf.constant([1.0]), tf.constant(2.0)], [tf.constant([3.0, 1.0, 2.0, 5.0]), tf.constant(0.1)]]
