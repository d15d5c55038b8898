"""Square and multiply: an AutoGraph `while` that halves its counter."""

import tensorflow as tf


@tf.function(jit_compile=True)
def eleventh_power(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        exponent = tf.constant(11)
        result, base = tf.ones_like(x), x
        while exponent > 0:  # want: XLA102 `while` loop
            tf.autograph.experimental.set_loop_options(maximum_iterations=4)
            odd = tf.cast(exponent % 2, tf.float32)
            result = result * (odd * base + (1.0 - odd))
            base = base * base
            exponent //= 2
    return result, tape.gradient(result, x)


ENTRY = "eleventh_power"
BEFORE = "error"
ERROR = "fixed tensor list size"
WEAKEN = [("maximum_iterations=4", "maximum_iterations=3")]


def inputs():
    return [tf.constant([1.5, -0.5])]


def more_inputs():
    return [[tf.constant(0.0)], [tf.constant([[1.1]])]]
