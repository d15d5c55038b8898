"""Without a mask the function ends before the loop, and its length cannot be asked for."""

import tensorflow as tf


@tf.function(jit_compile=True)
def masked(x, mask=None):
    out = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
    if mask is None:
        return x
    for i in tf.range(tf.shape(mask)[0]):
        out = out.write(i, x[i] * mask[i])
    return out.stack()


ENTRY = "masked"
BEFORE = "wrong"
REASON = "left at line"


def inputs():
    return [tf.constant([1.0, 2.0]), tf.constant([1.0, 0.0])]
