"""The offset of the index grows while the loop runs."""

import tensorflow as tf


@tf.function(jit_compile=True)
def compact(x, start, end):
    out = tf.TensorArray(tf.float32, size=0, dynamic_size=True, element_shape=[])  # want: XLA103 TensorArray
    for t in tf.range(start, end):
        out = out.write(t - start, x[t])
        start = tf.where(x[t] < 0.0, start + 1, start)
    return out.stack()


ENTRY = "compact"
BEFORE = "wrong"
REASON = "start.*changes"


def inputs():
    return [tf.constant([1.0, -2.0, 3.0, 4.0]), tf.constant(0), tf.constant(4)]
