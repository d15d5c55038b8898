"""A tf.while_loop with a lambda as condition, a named body and keywords."""

import tensorflow as tf

RANK = 2


@tf.function(jit_compile=True)
def fold(x):
    def accumulate(axis, acc):
        return axis + 1, 0.5 * acc + tf.reduce_sum(tf.reduce_max(x, axis=axis))

    # want: XLA101 axis
    _, acc = tf.while_loop(cond=lambda k, acc: k < RANK, body=accumulate, loop_vars=(0, tf.constant(0.0)))
    return acc


ENTRY = "fold"
BEFORE = "error"
ERROR = "must be a compile-time constant"
SAFETY = "safe"
WEAKEN = [("range(RANK)", "range(RANK - 1)")]


def inputs():
    return [tf.constant([[1.0, -2.0, 4.0], [0.5, 3.0, -1.0]])]


def more_inputs():
    return [[tf.constant([[2.0]])]]
