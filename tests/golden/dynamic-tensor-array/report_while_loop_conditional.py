"""The loop runs only if the caller wants more than the first element."""

import tensorflow as tf


@tf.function(jit_compile=True)
def trace(x, more):
    n = tf.shape(x)[0]
    out = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
    out = out.write(0, x[0])
    if more:
        _, out = tf.while_loop(lambda i, out: i < n, lambda i, out: (i + 1, out.write(i, x[i] * 2.0)), (1, out))
    return out.stack()


ENTRY = "trace"
BEFORE = "wrong"
REASON = "conditional"


def inputs():
    return [tf.constant([1.0, 2.0, 3.0]), False]
