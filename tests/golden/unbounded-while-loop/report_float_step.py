"""Steps of 0.1 do not add up to a whole number: ten of them stay below 1 in float32."""

import tensorflow as tf


@tf.function(jit_compile=True)
def slope(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        _, y = tf.while_loop(lambda t, y: t < 1.0, lambda t, y: (t + 0.1, y - 0.1 * y * y), (0.0, x))  # want: XLA102
    return y, tape.gradient(y, x)


ENTRY = "slope"
BEFORE = "error"
ERROR = "fixed tensor list size"
REASON = "step `0\\.1` of the counter"


def inputs():
    return [tf.constant([0.5, 1.5])]
