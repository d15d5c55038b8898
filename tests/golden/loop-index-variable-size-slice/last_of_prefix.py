"""y[-1] of a prefix reads the padding; the length is a module constant."""

import tensorflow as tf

LENGTH = 4


@tf.function(jit_compile=True)
def lasts(x):
    total = tf.constant(0.0)
    for i in tf.range(1, LENGTH):  # want: XLA105 slice
        prefix = x[:i]
        total = 0.5 * total + prefix[-1]
    return total


ENTRY = "lasts"
BEFORE = "wrong"
SAFETY = "safe"
WEAKEN = [("in range(", "in tf.range("), ("LENGTH)", "LENGTH - 1)")]


def inputs():
    return [tf.constant([1.0, 2.0, 3.0, 4.0])]


def more_inputs():
    return [[tf.constant([5.0, -1.0, 7.0])]]
