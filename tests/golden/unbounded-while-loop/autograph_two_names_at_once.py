"""A Fibonacci-like recurrence; counter and states are assigned together."""

import tensorflow as tf

TERMS = 8


@tf.function(jit_compile=True)
def recurrence(a, b):
    with tf.GradientTape() as tape:
        tape.watch([a, b])
        k, old, new = tf.constant(1), a, b
        while tf.less_equal(k, TERMS):  # want: XLA102 `while` loop
            k, old, new = k + 1, new, old * 0.5 + tf.sin(new)
    return new, tape.gradient(new, [a, b])


ENTRY = "recurrence"
BEFORE = "error"
ERROR = "fixed tensor list size"
WEAKEN = [("maximum_iterations=TERMS", "maximum_iterations=TERMS - 1")]


def inputs():
    return [tf.constant(0.5), tf.constant(1.0)]


def more_inputs():
    return [[tf.constant([0.0]), tf.constant([0.0])], [tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])]]
