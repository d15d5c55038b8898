"""The bound is an int64 length, and the index is cast: a size must be an int32."""

import tensorflow as tf


@tf.function(jit_compile=True)
def doubled(x):
    out = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
    for t in tf.range(tf.shape(x, out_type=tf.int64)[0]):
        out = out.write(tf.cast(t, tf.int32), x[t] * 2.0)
    return out.stack()


ENTRY = "doubled"
BEFORE = "wrong"
REASON = "int32"


def inputs():
    return [tf.constant([1.0, 2.0, 3.0])]
