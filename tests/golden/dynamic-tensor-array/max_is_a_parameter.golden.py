"""`max` is not Python's own here, so the size takes TensorFlow's."""

import tensorflow as tf


@tf.function(jit_compile=True)
def clipped(x, max=2.0):
    k = x.shape[0]
    out = tf.TensorArray(tf.float32, size=tf.maximum(k - 1, 0), dynamic_size=False)  # want: XLA103 TensorArray
    for i in range(k - 1):
        out = out.write(i, tf.minimum(x[i], max))
    return out.stack()


ENTRY = "clipped"
BEFORE = "wrong"
WEAKEN = [("tf.maximum(k - 1, 0)", "max(k - 1, 0)"), ("tf.maximum(k - 1, 0)", "k - 2")]


def inputs():
    return [tf.constant([1.0, 2.0, 3.0])]


def more_inputs():
    return [[tf.constant([4.0, 1.0])]]
