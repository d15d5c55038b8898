"""The running sum of a prefix, reduced: 0 under XLA."""

import tensorflow as tf


def head(x, length):
    return x[:length]


@tf.function(jit_compile=True)
def ramp(x):
    total = tf.constant(0.0)
    for n in range(1, 4):  # want: XLA105 slice
        total += tf.reduce_sum(tf.cumsum(head(x, n)))
    return total


ENTRY = "ramp"
BEFORE = "wrong"
SAFETY = "safe"
WEAKEN = [("in range(", "in tf.range("), ("range(1, 4)", "range(1, 3)")]


def inputs():
    return [tf.constant([1.0, 2.0, 3.0, 4.0])]


def more_inputs():
    return [[tf.constant([5.0, -1.0, 7.0])]]
