"""An int64 range gives no index for an append: the counter is a new one."""

import tensorflow as tf


@tf.function(jit_compile=True)
def powers(x):
    out = tf.TensorArray(tf.float32, size=3, dynamic_size=False)  # want: XLA103 TensorArray
    out_len = 0
    for k in tf.range(3, dtype=tf.int64):
        x = x * tf.cast(k + 1, tf.float32)
        out = out.write(out_len, x)
        out_len += 1
    return out.stack()


ENTRY = "powers"
BEFORE = "wrong"
WEAKEN = [("size=3", "size=2"), ("out_len += 1", "out_len += 0")]


def inputs():
    return [tf.constant(0.5)]


def more_inputs():
    return [[tf.constant([1.0, -1.0])]]
