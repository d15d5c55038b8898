"""The operand is the index of the round before, which a Python int carries through the loop."""

import tensorflow as tf


@tf.function(jit_compile=True)
def chained(x):
    total = tf.constant(1.0)
    previous = 0
    for axis in tf.range(1, 3):  # want: XLA101 previous|axis
        total = total * 0.5 + tf.reduce_sum(tf.reduce_max(x, axis=previous))
        previous = axis
    return total


ENTRY = "chained"
BEFORE = "error"
ERROR = "must be a compile-time constant"
SAFETY = "safe"
WEAKEN = [("range(1, 3)", "range(1, 2)"), ("range(1, 3)", "range(2)")]


def inputs():
    return [tf.reshape(tf.sin(tf.range(12, dtype=tf.float32)), [2, 3, 2])]


def more_inputs():
    return [[tf.ones([1, 2, 1])]]
