"""The loop needs a Python index but breaks on a tensor condition, which a Python loop cannot do."""

import tensorflow as tf


@tf.function(jit_compile=True)
def shrink_until_small(x):
    norm = tf.reduce_sum(tf.abs(x))
    for ax in tf.range(3):  # want: XLA101 ax
        if norm < 4.0:
            break
        norm = norm - tf.reduce_max(tf.reduce_sum(tf.abs(x), axis=ax))
    return norm


ENTRY = "shrink_until_small"
BEFORE = "error"
ERROR = "must be a compile-time constant"
REASON = r"break"


def inputs():
    return [tf.reshape(tf.range(8, dtype=tf.float32) * 0.5, [2, 2, 2])]


def more_inputs():
    return [[tf.ones([2, 2, 2]) * 9.0], [tf.zeros([2, 2, 2])]]
