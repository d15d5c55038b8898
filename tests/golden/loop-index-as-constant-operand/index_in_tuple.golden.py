"""The index reaches the permutation of tf.transpose through a tuple and a list."""

import tensorflow as tf


@tf.function(jit_compile=True)
def symmetric_energy(x):
    energy = tf.constant(0.0)
    for i in range(2):  # want: XLA101 `?i`?
        order = (i, 1 - i)
        first, second = order
        energy += tf.reduce_sum(tf.transpose(x, perm=[first, second]) * x) * tf.cast(i + 1, tf.float32)
    return energy


ENTRY = "symmetric_energy"
BEFORE = "error"
ERROR = "must be a compile-time constant"
SAFETY = "safe"
WEAKEN = [("range(2)", "range(1)")]


def inputs():
    return [tf.constant([[1.0, 2.0], [-3.0, 0.5]])]


def more_inputs():
    return [[tf.constant([[4.0]])]]
