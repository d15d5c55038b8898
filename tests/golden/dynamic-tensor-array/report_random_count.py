"""The limit is drawn at random: no constant for XLA."""

import tensorflow as tf


@tf.function(jit_compile=True)
def some(x):
    n = tf.random.uniform([], 3, 4, tf.int32)  # want: XLA201 follows no seed
    out = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
    _, out = tf.while_loop(lambda i, _: i < n, lambda i, out: (i + 1, out.write(i, x[i])), (0, out))
    return tf.reduce_sum(out.stack())


ENTRY = "some"
BEFORE = "wrong"
REASON = "uniform.*when it compiles"


def inputs():
    return [tf.constant([1.0, 2.0, 3.0])]
