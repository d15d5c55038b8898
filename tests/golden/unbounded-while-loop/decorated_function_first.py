"""The body of the loop begins with a decorated function: the options stand before the decorator."""

import tensorflow as tf


@tf.function(jit_compile=True)
def slope(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        k, y = tf.constant(0), x
        while k < 3:  # want: XLA102 `while` loop

            @tf.custom_gradient
            def clipped(v):
                return tf.sin(v), lambda d: tf.clip_by_value(d, -0.8, 0.8)

            y = clipped(y) * 2.0
            k += 1
    return y, tape.gradient(y, x)


ENTRY = "slope"
BEFORE = "error"
ERROR = "fixed tensor list size"
WEAKEN = [("maximum_iterations=3", "maximum_iterations=2")]


def inputs():
    return [tf.constant([0.5, 1.0])]


def more_inputs():
    return [[tf.constant(0.0)], [tf.constant([[2.0]])]]
