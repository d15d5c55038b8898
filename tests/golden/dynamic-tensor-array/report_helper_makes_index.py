"""The helper computes the index: its name is the caller's only by chance."""

import tensorflow as tf


def push(out, value, t):
    i = t // 2
    return out.write(i, value)


@tf.function(jit_compile=True)
def pairs(x):
    out = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
    for i in tf.range(4):
        out = push(out, x[i], i)
    return out.stack()


ENTRY = "pairs"
BEFORE = "wrong"
REASON = "not an argument"


def inputs():
    return [tf.constant([1.0, 2.0, 3.0, 4.0])]
