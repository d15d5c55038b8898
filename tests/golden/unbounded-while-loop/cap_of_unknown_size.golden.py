"""A tolerance ends the loop, and nobody knows how large the cap is that callers give."""

import tensorflow as tf


@tf.function(jit_compile=True)
def root(a, rounds):
    with tf.GradientTape() as tape:
        tape.watch(a)
        x = tf.while_loop(  # want: XLA102 while_loop
            lambda k, x: tf.logical_and(k < rounds, tf.abs(x * x - a) > 1e-3),
            lambda k, x: (k + 1, 0.5 * (x + a / x)),
            (0, a),
            maximum_iterations=rounds,
        )[1]
    return x, tape.gradient(x, a)


ENTRY = "root"
BEFORE = "error"
ERROR = "fixed tensor list size"
SAFETY = "unsafe"  # memory for `rounds` iterations; `rounds` is an int32 number
WEAKEN = [("maximum_iterations=rounds", "maximum_iterations=rounds - 1")]


def inputs():
    return [tf.constant(9.0), tf.constant(3)]


def more_inputs():
    return [[tf.constant(1.0), 5], [tf.constant(300.0), tf.constant(20)]]
