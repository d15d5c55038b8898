"""The context manager swallows the error of a round, and the write with it."""

import contextlib

import tensorflow as tf


@tf.function(jit_compile=True, autograph=False)
def scaled(x, scales=(1.0, 2.0, None, 4.0)):
    out = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
    for i in range(4):
        with contextlib.suppress(TypeError, ValueError):
            y = x * scales[i]
            out = out.write(out.size(), y)
    return out.stack()


ENTRY = "scaled"
BEFORE = "wrong"
REASON = "element_shape|conditional|data"


def inputs():
    return [tf.constant([1.0, 2.0, 3.0])]
