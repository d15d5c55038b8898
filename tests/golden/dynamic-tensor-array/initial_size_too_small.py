"""The array starts with one slot and grows: under XLA its last slot is overwritten instead."""

import tensorflow as tf


@tf.function(jit_compile=True)
def doubled(x):
    out = tf.TensorArray(x.dtype, size=1, dynamic_size=True, clear_after_read=False)  # want: XLA103 TensorArray
    for i in tf.range(3):
        out = out.write(i, x[i] * 2.0)
    return out.stack(), out.read(0)


ENTRY = "doubled"
BEFORE = "wrong"
SAFETY = "safe"
WEAKEN = [("size=3", "size=2")]


def inputs():
    return [tf.constant([0.3, 1.5, -1.0])]


def more_inputs():
    return [[tf.ones([3], tf.float64)]]
