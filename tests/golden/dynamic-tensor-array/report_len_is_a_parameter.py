"""`len` is not Python's own here."""

import tensorflow as tf


@tf.function(jit_compile=True)
def scaled(x, len=2):
    parts = [x, x * 2.0, x * 3.0]
    out = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
    for i, part in enumerate(parts):
        out = out.write(i, part * len)
    return out.stack()


ENTRY = "scaled"
BEFORE = "wrong"
REASON = "`len` is something else"


def inputs():
    return [tf.constant([1.0, 2.0, 3.0])]
