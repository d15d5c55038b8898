"""The index of a tensor loop only selects elements; that needs no constant."""

import tensorflow as tf


@tf.function(jit_compile=True)
def weighted(x, w):
    s = tf.constant(0.0)
    for i in tf.range(x.shape[0]):
        s += x[i] * tf.gather(w, i) * tf.cast(i, tf.float32)
    return s


ENTRY = "weighted"


def inputs():
    return [tf.constant([1.0, 2.0, 3.0]), tf.constant([0.5, 0.25, 1.0])]


def more_inputs():
    return [[tf.ones([1]), tf.ones([1])]]
