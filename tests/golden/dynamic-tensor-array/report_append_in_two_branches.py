"""Both branches append, one of them twice: the number of elements depends on data."""

import tensorflow as tf


@tf.function(jit_compile=True)
def doubled_evens(x):
    out = tf.TensorArray(tf.int32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
    for i in tf.range(3):
        out = out.write(out.size(), x[i])
        if x[i] % 2 == 0:
            out = out.write(out.size(), x[i])
    return out.stack()


ENTRY = "doubled_evens"
BEFORE = "wrong"
REASON = "writes|twice|data|number|several"


def inputs():
    return [tf.constant([1, 2, 4])]
