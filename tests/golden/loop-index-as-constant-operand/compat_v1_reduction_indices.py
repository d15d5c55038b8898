"""TensorFlow 1 spellings: the module is tf, and the axis is called reduction_indices."""

import tensorflow.compat.v1 as tf


@tf.function(jit_compile=True)
def marginals(x):
    total = tf.constant(0.0)
    for k in tf.range(2):  # want: XLA101 k
        total += tf.reduce_max(tf.reduce_sum(x, reduction_indices=k))
    return total


ENTRY = "marginals"
BEFORE = "error"
ERROR = "must be a compile-time constant"
SAFETY = "safe"
WEAKEN = [("range(2)", "range(1)"), ("in range(", "in tf.range(")]


def inputs():
    return [tf.constant([[1.0, -2.0, 4.0], [0.5, 3.0, -1.0]])]


def more_inputs():
    return [[tf.constant([[3.0]])], [tf.zeros([2, 0, 3])]]
