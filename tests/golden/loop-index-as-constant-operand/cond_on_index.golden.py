"""The index is both a reduction axis and the predicate of tf.cond: with a Python index the
predicate must become a tensor (tf.equal).
"""

import tensorflow as tf


@tf.function(jit_compile=True)
def first_special(x):
    acc = tf.reduce_sum(x)
    for ax in range(2):  # want: XLA101 ax
        m = tf.reduce_max(x, axis=ax)
        acc = tf.cond(tf.equal(ax, 0), lambda: acc + tf.reduce_sum(m), lambda: acc * tf.reduce_mean(m))
    return acc


ENTRY = "first_special"
BEFORE = "error"
ERROR = "must be a compile-time constant"
SAFETY = "safe"
WEAKEN = [("range(2)", "range(1)"), ("tf.equal(ax, 0)", "tf.equal(ax, 1)")]


def inputs():
    return [tf.constant([[1.0, 2.0], [3.0, -1.0]])]


def more_inputs():
    return [[tf.constant([[0.0]])]]
