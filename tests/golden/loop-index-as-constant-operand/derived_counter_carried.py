"""Not the index but a second counter, carried through the tensor loop, is the operand."""

import tensorflow as tf


@tf.function(jit_compile=True)
def doubling_blocks(x):
    width = 1
    score = tf.constant(0.0)
    for _ in tf.range(3):  # want: XLA101 width
        blocks = tf.reshape(x, [-1, width])
        score += tf.reduce_sum(tf.reduce_max(blocks, axis=1))
        width = width * 2
    return score


ENTRY = "doubling_blocks"
BEFORE = "error"
ERROR = "must be a compile-time constant"
SAFETY = "safe"
WEAKEN = [("range(3)", "range(2)")]


def inputs():
    return [tf.sin(tf.range(16, dtype=tf.float32))]


def more_inputs():
    return [[tf.constant([3.0, 1.0, 2.0, -5.0])]]
