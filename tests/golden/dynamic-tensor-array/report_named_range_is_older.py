"""The range has the length from before `x` got shorter."""

import tensorflow as tf


@tf.function(jit_compile=True)
def weighted(x):
    times = tf.range(tf.shape(x)[0])
    x = tf.reduce_sum(x, keepdims=True)
    out = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
    for t in times:
        out = out.write(t, x[0] * tf.cast(t, tf.float32))
    return out.stack()


ENTRY = "weighted"
BEFORE = "wrong"
REASON = "not known where the array is made"


def inputs():
    return [tf.constant([1.0, 2.0, 3.0])]
