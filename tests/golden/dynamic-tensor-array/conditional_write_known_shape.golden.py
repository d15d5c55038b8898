"""A write under a condition, with the user's counter; the shape of the elements stands in the call."""

import tensorflow as tf


@tf.function(jit_compile=True)
def large_rows(x):
    kept = tf.TensorArray(tf.float32, size=4, dynamic_size=False, element_shape=[2])  # want: XLA103 TensorArray
    count = 0
    for i in tf.range(4):
        row = x[i] * 2.0
        if tf.reduce_sum(row) > 1.0:
            kept = kept.write(count, row)
            count += 1
    return kept.stack()[:count]


ENTRY = "large_rows"
BEFORE = "wrong"
SAFETY = "unsafe"  # the length of the result depends on data
WEAKEN = [("size=4", "size=3"), ("[:count]", "")]


def inputs():
    return [tf.constant([[1.0, 0.0], [-1.0, 0.5], [2.0, 2.0], [0.0, 0.6]])]


def more_inputs():
    return [[tf.ones([4, 2])], [tf.zeros([4, 2])]]
