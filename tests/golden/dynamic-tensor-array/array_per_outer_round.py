"""A fresh array in every round of an outer loop, stacked there: the sums are silently zero."""

import tensorflow as tf


@tf.function(jit_compile=True)
def energies(x):
    total = tf.constant(0.0)
    for i in tf.range(x.shape[0]):
        row = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
        for j in tf.range(x.shape[1]):
            row = row.write(j, x[i, j] ** 2)
        total += tf.reduce_sum(tf.sqrt(row.stack()))
    return total


ENTRY = "energies"
BEFORE = "wrong"
SAFETY = "safe"
WEAKEN = [("size=x.shape[1]", "size=x.shape[1] - 1"), ("size=x.shape[1]", "size=x.shape[0]")]


def inputs():
    return [tf.reshape(tf.range(6, dtype=tf.float32), [2, 3])]


def more_inputs():
    return [[tf.constant([[4.0]])]]
