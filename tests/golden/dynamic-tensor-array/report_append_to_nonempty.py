"""It starts with one element, and what is appended comes behind it."""

import tensorflow as tf


@tf.function(jit_compile=True)
def padded(x):
    out = tf.TensorArray(tf.float32, size=1, dynamic_size=True, element_shape=[])  # want: XLA103 TensorArray
    for t in tf.range(tf.shape(x)[0]):
        out = out.write(out.size(), x[t])
    return out.stack()


ENTRY = "padded"
BEFORE = "wrong"
REASON = "starts with 1 elements"


def inputs():
    return [tf.constant([1.0, 2.0, 3.0])]
