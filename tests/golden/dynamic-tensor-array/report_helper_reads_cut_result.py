"""The number of elements depends on data, and a helper reads them all."""

import tensorflow as tf


def finish(kept):
    return tf.reduce_sum(kept.stack(), 0)


@tf.function(jit_compile=True)
def total(x):
    kept = tf.TensorArray(tf.float32, size=0, dynamic_size=True, element_shape=[])  # want: XLA103 TensorArray
    for i in tf.range(tf.shape(x)[0]):
        if x[i] > 1.5:
            kept = kept.write(kept.size(), x[i])
    return finish(kept)


ENTRY = "total"
BEFORE = "wrong"
REASON = "helper reads it"


def inputs():
    return [tf.constant([1.0, 2.0, 3.0])]
