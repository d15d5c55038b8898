"""The gradient of cumsum of a window ends the compiler's process."""

import tensorflow as tf


@tf.function(jit_compile=True)
def gradient(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        loss = tf.constant(1.0)
        for i in range(3):  # want: XLA105 slice
            loss += tf.cumsum(x[i : i + 2] ** 2)[-1]
    return loss, tape.gradient(loss, x)


ENTRY = "gradient"
BEFORE = "abort"
SAFETY = "safe"
WEAKEN = [("in range(", "in tf.range("), ("range(3)", "range(2)")]


def inputs():
    return [tf.constant([1.0, 2.0, 3.0, 4.0])]


def more_inputs():
    return [[tf.constant([5.0, -1.0, 0.0, 0.5, 2.0])]]
