"""Both branches write, but one may be left before it does."""

import tensorflow as tf


@tf.function(jit_compile=True)
def clipped(x):
    out = tf.TensorArray(tf.float32, size=0, dynamic_size=True, element_shape=[])  # want: XLA103 TensorArray
    for i in tf.range(tf.shape(x)[0]):
        if x[i] > 0.0:
            if x[i] > 2.5:
                continue
            out = out.write(i, x[i])
        else:
            out = out.write(i, 0.0)
    return out.stack()


ENTRY = "clipped"
BEFORE = "wrong"
REASON = "left early"


def inputs():
    return [tf.constant([1.0, 2.0, 3.0])]
