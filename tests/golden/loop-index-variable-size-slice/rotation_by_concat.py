"""Two slices of runtime length are joined: the padding of the first ends up in the middle."""

import tensorflow as tf


@tf.function(jit_compile=True)
def rotations(x):
    total = tf.zeros_like(x)
    for i in tf.range(1, x.shape[0]):  # want: XLA105 slice
        total += tf.concat([x[i:], x[:i]], 0)
    return total


ENTRY = "rotations"
BEFORE = "wrong"
SAFETY = "safe"
WEAKEN = [("in range(", "in tf.range("), ("x.shape[0])", "x.shape[0] - 1)")]


def inputs():
    return [tf.constant([1.0, 2.0, 3.0, 4.0])]


def more_inputs():
    return [[tf.constant([5.0, 2.0])]]
