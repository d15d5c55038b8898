"""A window x[i:i + 2] has a constant width, which XLA does not see: the gradient of its sum fails."""

import tensorflow as tf


@tf.function(jit_compile=True)
def gradient(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        loss = tf.constant(1.0)
        for i in range(4):  # want: XLA105 slice
            loss = loss * tf.reduce_sum(x[i : i + 2])
    return loss, tape.gradient(loss, x)


ENTRY = "gradient"
BEFORE = "error"
ERROR = "RET_CHECK failure"
SAFETY = "safe"
WEAKEN = [("in range(", "in tf.range("), ("range(4)", "range(3)")]


def inputs():
    return [tf.constant([1.0, 2.0, 3.0, 4.0])]


def more_inputs():
    return [[tf.constant([5.0, -1.0, 0.0, 0.5, 2.0])]]
