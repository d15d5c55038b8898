"""An iterator has no length."""

import tensorflow as tf


@tf.function(jit_compile=True, autograph=False)
def rest(x):
    parts = iter([x, x * 2.0, x * 3.0])
    first = next(parts)
    out = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
    for part in parts:
        out = out.write(out.size(), part)
    return out.stack() + first


ENTRY = "rest"
BEFORE = "wrong"
REASON = "not known how often"


def inputs():
    return [tf.constant([1.0, 2.0, 3.0])]
