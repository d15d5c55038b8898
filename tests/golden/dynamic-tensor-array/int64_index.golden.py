"""An int64 range; the index is cast for the write."""

import tensorflow as tf


@tf.function(jit_compile=True)
def powers(x):
    out = tf.TensorArray(tf.float32, size=4, dynamic_size=False)  # want: XLA103 TensorArray
    code = tf.constant(1, tf.int64)
    for k in tf.range(4, dtype=tf.int64):
        code = code * 3 + k
        out = out.write(tf.cast(k, tf.int32), x * tf.cast(code, tf.float32))
    return out.stack(), code


ENTRY = "powers"
BEFORE = "wrong"
SAFETY = "safe"
WEAKEN = [("size=4", "size=3")]


def inputs():
    return [tf.constant(0.5)]


def more_inputs():
    return [[tf.constant([1.0, -1.0])]]
