"""One loop, many constant operands: depth, shape, paddings, sizes, num, the diagonal."""

import tensorflow as tf


@tf.function(jit_compile=True)
def census(x, tokens):
    n = 4
    total = tf.constant(0.0)
    for k in range(1, 4):  # want: XLA101 k
        head, tail = tf.split(x, [k, n - k])
        total = 0.5 * total + tf.reduce_sum(head) - tf.reduce_sum(tail)
        total += tf.reduce_sum(tf.one_hot(tokens, k)) + tf.reduce_sum(tf.pad(x, [[k, 0]]))
        total += tf.reduce_sum(tf.linspace(0.0, 1.0, k)) + tf.reduce_sum(tf.linalg.diag(x[:2], k=k))
        total += tf.reduce_sum(tf.repeat(x, k)) + tf.reduce_sum(tf.cast(tf.range(k), tf.float32))
    return total


ENTRY = "census"
BEFORE = "error"
ERROR = "must be a compile-time constant"
SAFETY = "safe"
WEAKEN = [("range(1, 4)", "range(1, 3)")]


def inputs():
    return [tf.constant([1.0, 2.0, 3.0, 4.0]), tf.constant([0, 2, 1])]


def more_inputs():
    return [[tf.constant([0.0, -1.0, 0.0, 9.0]), tf.zeros([0], tf.int32)]]
