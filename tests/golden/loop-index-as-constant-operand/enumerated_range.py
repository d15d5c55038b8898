"""enumerate() of a tensor only runs eagerly, so the loop cannot be traced at all; of a range it can."""

import tensorflow as tf


@tf.function(jit_compile=True)
def weighted(x):
    total = tf.constant(0.0)
    for weight, axis in enumerate(tf.range(2)):  # want: XLA101 axis
        total += tf.reduce_sum(tf.reduce_max(x, axis=axis)) * float(weight + 1)
    return total


ENTRY = "weighted"
BEFORE = "error"
ERROR = "Iterating over a symbolic"
SAFETY = "safe"
REFERENCE = "eager"
MODES = ["eager"]
WEAKEN = [("range(2)", "range(1)"), ("range(2)", "tf.range(2)")]


def inputs():
    return [tf.constant([[1.0, 2.0], [3.0, 5.0]])]


def more_inputs():
    return [[tf.constant([[4.0]])]]
