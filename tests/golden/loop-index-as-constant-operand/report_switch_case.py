"""The index also selects a branch of tf.switch_case, which takes only a tensor."""

import tensorflow as tf


@tf.function(jit_compile=True)
def branches(x):
    total = tf.constant(0.0)
    for axis in tf.range(2):  # want: XLA101 axis
        weight = tf.switch_case(axis, [lambda: 1.0, lambda: 3.0])
        total += weight * tf.reduce_max(tf.reduce_sum(x, axis=axis))
    return total


ENTRY = "branches"
BEFORE = "error"
ERROR = "must be a compile-time constant"
REASON = "switch_case|tensor"


def inputs():
    return [tf.constant([[1.0, 2.0], [-3.0, 0.5]])]
