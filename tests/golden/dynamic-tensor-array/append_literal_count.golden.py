"""write(size(), value) in a loop with a literal trip count: size() is the capacity of a fixed array."""

import tensorflow as tf


@tf.function(jit_compile=True)
def halvings(x):
    out = tf.TensorArray(tf.float32, size=4, dynamic_size=False)  # want: XLA103 TensorArray
    out_len = 0
    for _ in tf.range(4):
        x = x / 2.0
        out = out.write(out_len, x)
        out_len += 1
    return out.stack()


ENTRY = "halvings"
BEFORE = "wrong"
SAFETY = "safe"
WEAKEN = [("size=4", "size=3"), ("out_len += 1", "out_len += 0"), ("write(out_len, x)", "write(out.size(), x)")]


def inputs():
    return [tf.constant([8.0, -16.0])]


def more_inputs():
    return [[tf.constant(0.0)]]
