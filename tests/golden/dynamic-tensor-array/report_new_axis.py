"""`None` as an index selects no row: the shape of the elements is not that of a row."""

import tensorflow as tf


@tf.function(jit_compile=True)
def repeated(x, b):
    out = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
    for i in tf.range(tf.shape(x)[0]):
        if x[i] > 1.5:
            out = out.write(out.size(), b[tf.newaxis] * 1.0)
    return out.stack()


ENTRY = "repeated"
BEFORE = "error"
REASON = "shape"
ERROR = "Output shapes"


def inputs():
    return [tf.constant([1.0, 2.0, 3.0]), tf.constant([1.0, 2.0])]
