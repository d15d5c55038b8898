"""Two loops write into one array."""

import tensorflow as tf


@tf.function(jit_compile=True)
def both(x):
    out = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
    for i in tf.range(2):
        out = out.write(i, x[i])
    for i in tf.range(2, 5):
        out = out.write(i, x[i - 2] * 2.0)
    return out.stack()


ENTRY = "both"
BEFORE = "wrong"
REASON = "two|loops|more than one|several"


def inputs():
    return [tf.constant([1.0, 2.0, 3.0])]
