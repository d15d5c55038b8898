"""The write index is computed: that it hits 0..n-1, each once, is not shown."""

import tensorflow as tf


@tf.function(jit_compile=True)
def interleave(x):
    out = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
    for i in tf.range(4):
        out = out.write((i * 3) % 4, x[i])
    return out.stack()


ENTRY = "interleave"
BEFORE = "wrong"
REASON = "index"


def inputs():
    return [tf.constant([1.0, 2.0, 3.0, 4.0])]
