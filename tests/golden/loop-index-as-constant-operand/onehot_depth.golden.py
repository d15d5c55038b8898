"""The depth of tf.one_hot is the index of a tensor loop."""

import tensorflow as tf


@tf.function(jit_compile=True)
def vocabulary_sweep(tokens, max_size=4):
    hits = tf.constant(0.0)
    for size in range(2, max_size + 1):  # want: XLA101 size
        table = tf.one_hot(tokens, depth=size)
        hits = hits * 0.5 + tf.reduce_sum(table)
    return hits


ENTRY = "vocabulary_sweep"
BEFORE = "error"
ERROR = "must be a compile-time constant"
SAFETY = "unsafe"  # max_size is a parameter: with a tensor the loop would stay a tensor loop
WEAKEN = [("max_size + 1)", "max_size)")]


def inputs():
    return [tf.constant([0, 3, 1, 2, 2])]


def more_inputs():
    return [[tf.constant([0]), 1], [tf.constant([3, 3, 9]), 10]]
