"""Whether it grows depends on an argument."""

import tensorflow as tf


@tf.function(jit_compile=True)
def doubled(x, n=None):
    out = tf.TensorArray(tf.float32, size=0 if n is None else n, dynamic_size=n is None)  # want: XLA103 TensorArray
    for i in tf.range(tf.shape(x)[0]):
        out = out.write(i, x[i] * 2.0)
    return out.stack()


ENTRY = "doubled"
BEFORE = "wrong"
REASON = "may be False"


def inputs():
    return [tf.constant([1.0, 2.0, 3.0])]
