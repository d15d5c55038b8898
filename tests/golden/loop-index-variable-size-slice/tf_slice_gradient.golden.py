"""tf.slice with the index as size: the value is right, the gradient is not."""

import tensorflow as tf


def penalty(x):
    total = tf.constant(0.0)
    for n in range(1, 3):  # want: XLA105 slice
        total += tf.reduce_sum(tf.slice(x, [0], [n]) ** 2)
    return total


@tf.function(jit_compile=True)
def gradient(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        loss = penalty(x) ** 2
    return loss, tape.gradient(loss, x)


ENTRY = "gradient"
BEFORE = "wrong"
SAFETY = "safe"
WEAKEN = [("in range(", "in tf.range("), ("range(1, 3)", "range(1, 2)")]


def inputs():
    return [tf.constant([1.0, 2.0, 3.0])]


def more_inputs():
    return [[tf.constant([5.0, -1.0])]]
