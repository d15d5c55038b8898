"""A tf.while_loop that has its bound; without one XLA102 would speak first.

SAFE: the outer function is a tf.function already, and all it calls has a kernel under XLA.
"""

import tensorflow as tf


@tf.function(jit_compile=True)
def root(a):
    def improve(k, x):
        return k + 1, 0.5 * (x + a / x)

    return tf.while_loop(lambda k, x: k < 6, improve, (0, a), maximum_iterations=6)[1]


@tf.function
def root_slope(a):
    with tf.GradientTape() as tape:
        tape.watch(a)
        r = root(a)  # want: XLA104 root
    return tape.gradient(r, a)


ENTRY = "root_slope"
BEFORE = "error"
ERROR = "TensorList crossing"
WEAKEN = [("@tf.function(jit_compile=True)\ndef root_slope", "@tf.function\ndef root_slope")]


def inputs():
    return [tf.constant([2.0, 9.0])]


def more_inputs():
    return [[tf.constant([1.0])]]
