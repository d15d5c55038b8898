"""A `break` is a second exit; the counter still bounds the loop."""

import tensorflow as tf


@tf.function(jit_compile=True)
def escape(c, z):
    with tf.GradientTape() as tape:
        tape.watch(c)
        step = tf.constant(0)
        while step < 30:  # want: XLA102 `while` loop
            tf.autograph.experimental.set_loop_options(maximum_iterations=30)
            step += 1
            z = z * z + c
            if tf.abs(z) > 2.0:
                break
    return z, step, tape.gradient(z, c)


ENTRY = "escape"
BEFORE = "error"
ERROR = "fixed tensor list size"
WEAKEN = [("maximum_iterations=30", "maximum_iterations=29")]


def inputs():
    return [tf.constant(0.3), tf.constant(0.0)]


def more_inputs():
    return [[tf.constant(0.1), tf.constant(0.0)], [tf.constant(5.0), tf.constant(0.0)]]
