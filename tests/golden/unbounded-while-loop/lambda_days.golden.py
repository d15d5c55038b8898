"""Condition and body are lambdas; the limit is a literal."""

import tensorflow as tf


@tf.function(jit_compile=True)
def duration(rate, payment):
    with tf.GradientTape() as tape:
        tape.watch(rate)
        _, value = tf.while_loop(  # want: XLA102 tf\.while_loop.*maximum_iterations
            lambda year, value: year < 7,
            lambda year, value: (year + 1, (value + payment) / (1.0 + rate)),
            (0, tf.zeros_like(payment)),
            maximum_iterations=7,
        )
        total = tf.reduce_sum(value)
    return value, tape.gradient(total, rate)


ENTRY = "duration"
BEFORE = "error"
ERROR = "fixed tensor list size"
WEAKEN = [("maximum_iterations=7", "maximum_iterations=6")]


def inputs():
    return [tf.constant(0.05), tf.constant([10.0, 20.0])]


def more_inputs():
    return [[tf.constant(0.5), tf.constant([1.0])], [tf.constant(0.0), tf.constant([[3.0, 1.0, 2.0]])]]
