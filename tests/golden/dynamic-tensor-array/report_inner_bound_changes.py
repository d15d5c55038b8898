"""The outer loop doubles what the inner one runs over."""

import tensorflow as tf


@tf.function(jit_compile=True)
def growing(x):
    out = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
    k = 0
    for _ in range(3):
        for j in range(tf.shape(x)[0]):
            out = out.write(k, x[j])
            k += 1
        x = tf.concat([x, x], 0)
    return out.stack()


ENTRY = "growing"
BEFORE = "wrong"
REASON = "changes in the loop"


def inputs():
    return [tf.constant([1.0, 2.0, 3.0])]
