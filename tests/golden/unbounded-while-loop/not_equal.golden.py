"""`!=` ends the loop where the counter meets the limit exactly."""

import tensorflow as tf


@tf.function(jit_compile=True)
def logistic_map(r, x):
    with tf.GradientTape() as tape:
        tape.watch(r)
        _, last = tf.while_loop(  # want: XLA102 while_loop
            lambda left, x: tf.not_equal(left, 0), lambda left, x: (left - 2, r * x * (1.0 - x)), (tf.constant(8), x), maximum_iterations=4
        )
    return last, tape.gradient(last, r)


ENTRY = "logistic_map"
BEFORE = "error"
ERROR = "fixed tensor list size"
WEAKEN = [("maximum_iterations=4", "maximum_iterations=3")]


def inputs():
    return [tf.constant(2.5), tf.constant(0.3)]


def more_inputs():
    return [[tf.constant(0.0), tf.constant(0.3)], [tf.constant(3.5), tf.constant([0.1, 0.7])]]
