"""The range is one of floats: there is no int that says how often it runs."""

import tensorflow as tf


@tf.function(jit_compile=True)
def halves(x):
    out = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
    for t in tf.range(2.5):
        out = out.write(out.size(), x * t)
    return out.stack()


ENTRY = "halves"
BEFORE = "wrong"
REASON = "2\\.5.*int32"


def inputs():
    return [tf.constant([1.0, 2.0, 3.0])]
