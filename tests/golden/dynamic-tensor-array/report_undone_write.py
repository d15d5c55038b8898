"""A second name keeps the array from before the write."""

import tensorflow as tf


@tf.function(jit_compile=True)
def accepted(x):
    out = tf.TensorArray(tf.float32, size=0, dynamic_size=True, element_shape=[])  # want: XLA103 TensorArray
    for t in tf.range(tf.shape(x)[0]):
        before = out
        out = out.write(t, x[t])
        if x[t] > 2.5:
            out = before
    return out.stack()


ENTRY = "accepted"
BEFORE = "wrong"
REASON = "second name"


def inputs():
    return [tf.constant([1.0, 2.0, 3.0])]
