"""Every round writes, but what the write gives is kept only sometimes."""

import tensorflow as tf


@tf.function(jit_compile=True)
def accepted(x):
    out = tf.TensorArray(tf.float32, size=0, dynamic_size=True, element_shape=[])  # want: XLA103 TensorArray
    for t in tf.range(tf.shape(x)[0]):
        grown = out.write(t, x[t])
        if x[t] < 2.5:
            out = grown
    return out.stack()


ENTRY = "accepted"
BEFORE = "wrong"
REASON = "does not go to `out`"


def inputs():
    return [tf.constant([1.0, 2.0, 3.0])]
