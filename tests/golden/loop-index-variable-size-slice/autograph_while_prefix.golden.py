"""The length of the prefix is the counter of an AutoGraph while loop."""

import tensorflow as tf


@tf.function(jit_compile=True)
def ramp(x):
    total = tf.constant(0.0)
    n = 1
    while n < 4:  # want: XLA105 slice
        total += tf.reduce_max(tf.cumsum(x[:n]))
        n += 1
    return total


ENTRY = "ramp"
BEFORE = "wrong"
SAFETY = "safe"
WEAKEN = [("n = 1\n", "n = tf.constant(1)\n"), ("n < 4", "n < 3")]


def inputs():
    return [tf.constant([1.0, 2.0, 3.0, 4.0])]


def more_inputs():
    return [[tf.constant([5.0, 1.0, 7.0])]]
