"""A TensorArray filled with write(size(), value): it needs a fixed size and a counter of its own."""

import tensorflow as tf


@tf.function(jit_compile=True)
def squares(values):
    out = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
    for v in values:
        out = out.write(out.size(), v * v)
    return out.stack()


ENTRY = "squares"
BEFORE = "wrong"
SAFETY = "unsafe"  # a caller may pass something that is no tensor, or one whose first dimension is unknown
WEAKEN = [("size=tf.shape(values)[0]", "size=tf.shape(values)[0] - 1"), ("out_len += 1", "out_len += 0")]


def inputs():
    return [tf.constant([1.0, 2.0, 3.0])]


def more_inputs():
    return [[tf.constant([7.0])], [tf.range(9.0)]]
