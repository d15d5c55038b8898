"""The loop may end early, and the last element is asked for: XLA would read behind the end."""

import tensorflow as tf


@tf.function(jit_compile=True)
def last(x):
    out = tf.TensorArray(tf.float32, size=0, dynamic_size=True, element_shape=[])  # want: XLA103 TensorArray
    for i in tf.range(tf.shape(x)[0]):
        out = out.write(i, x[i] * 2.0)
        if x[i] > 1.5:
            break
    history = out.stack()
    return history, history[-1]


ENTRY = "last"
BEFORE = "error"
REASON = "behind its end"
ERROR = "out of bounds"


def inputs():
    return [tf.constant([1.0, 2.0, 3.0])]
