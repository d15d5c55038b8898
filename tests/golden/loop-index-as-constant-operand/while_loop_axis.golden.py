"""The counter of a tf.while_loop is a reduction axis; the condition depends on the counter alone.

Arguments that say what holds anyway do not stand in the way.
"""

import tensorflow as tf


@tf.function(jit_compile=True)
def fold_axes(x):
    def keep_going(axis, acc):
        del acc
        return axis < 3

    def step(axis, acc):
        return axis + 1, acc + tf.reduce_sum(tf.reduce_max(x, axis=axis))

    # want: XLA101 axis
    axis, acc = 0, tf.constant(0.0)
    for _ in range(3):
        axis, acc = step(axis, acc)
    return acc


ENTRY = "fold_axes"
BEFORE = "error"
ERROR = "must be a compile-time constant"
SAFETY = "safe"  # the condition depends on the counter and a literal alone
WEAKEN = [("range(3)", "range(2)")]


def inputs():
    return [tf.reshape(tf.sin(tf.range(12, dtype=tf.float32)), [2, 3, 2])]


def more_inputs():
    return [[tf.reshape(tf.range(8, dtype=tf.float32), [2, 2, 2])]]
