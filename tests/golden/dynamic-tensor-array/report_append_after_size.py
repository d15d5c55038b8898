"""The array has as many elements as are appended, and doubles."""

import tensorflow as tf


@tf.function(jit_compile=True)
def doubled(x):
    n = tf.shape(x)[0]
    out = tf.TensorArray(tf.float32, size=n, dynamic_size=True, element_shape=[])  # want: XLA103 TensorArray
    for i in tf.range(n):
        out = out.write(out.size(), x[i])
    return out.stack()


ENTRY = "doubled"
BEFORE = "wrong"
REASON = "more are appended"


def inputs():
    return [tf.constant([1.0, 2.0, 3.0])]
