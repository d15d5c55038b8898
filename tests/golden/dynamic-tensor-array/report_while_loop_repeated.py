"""A Python loop runs the tensor loop twice, and both runs append."""

import tensorflow as tf


@tf.function(jit_compile=True)
def twice(x):
    n = tf.shape(x)[0]
    out = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
    for _ in range(2):
        _, out = tf.while_loop(lambda i, out: i < n, lambda i, out: (i + 1, out.write(out.size(), x[i])), (0, out))
    return out.stack()


ENTRY = "twice"
BEFORE = "wrong"
REASON = "repeats"


def inputs():
    return [tf.constant([1.0, 2.0, 3.0])]
