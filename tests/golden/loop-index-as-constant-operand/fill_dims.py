"""The shape of tf.ones and tf.zeros is built from the index of a tensor loop."""

import tensorflow as tf


@tf.function(jit_compile=True)
def causal_cost(weights):
    cost = 0.0
    for width in tf.range(1, 4):  # want: XLA101 width
        window = tf.ones([width, 2]) * weights
        cost += tf.reduce_sum(window) + tf.reduce_sum(tf.zeros([width]))
    return cost


ENTRY = "causal_cost"
BEFORE = "error"
ERROR = "must be a compile-time constant"
SAFETY = "safe"  # the trip count is a literal
WEAKEN = [("range(1, 4)", "range(1, 3)")]


def inputs():
    return [tf.constant([0.25, 4.0])]


def more_inputs():
    return [[tf.constant([0.0, -1.0])]]
