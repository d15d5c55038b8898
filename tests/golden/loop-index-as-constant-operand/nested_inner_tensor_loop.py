"""The length of the inner tensor loop is the index of the outer one; only the outer loop has to
change.
"""

import tensorflow as tf


@tf.function(jit_compile=True)
def triangular(x):
    s = tf.constant(0.0)
    for size in tf.range(1, 4):  # want: XLA101 size
        block = tf.broadcast_to(x[0], [size, 2])
        for j in tf.range(size):
            s += tf.reduce_sum(block) * x[j]
    return s


ENTRY = "triangular"
BEFORE = "error"
ERROR = "must be a compile-time constant"
SAFETY = "safe"  # the trip count is a literal
WEAKEN = [("range(1, 4)", "range(1, 3)")]


def inputs():
    return [tf.constant([0.5, 2.0, -1.0])]


def more_inputs():
    return [[tf.constant([0.0, 0.0, 3.0])]]
