"""The size is asked for when one of two elements is there."""

import tensorflow as tf


@tf.function(jit_compile=True)
def pair(x):
    out = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
    out = out.write(0, x)
    filled = out.size()
    out = out.write(1, x * 2.0)
    return out.stack(), filled


ENTRY = "pair"
BEFORE = "wrong"
REASON = "before it is filled"


def inputs():
    return [tf.constant([1.0, 2.0, 3.0])]
