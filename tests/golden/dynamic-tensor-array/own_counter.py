"""The write index is a counter of the user's own, stepped once per round."""

import tensorflow as tf


@tf.function(jit_compile=True)
def squares(x):
    out = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
    position = 0
    for i in tf.range(3, 9, 2):
        out = out.write(position, x * tf.cast(i, tf.float32))
        position += 1
    return out.stack()


ENTRY = "squares"
BEFORE = "wrong"
SAFETY = "safe"
WEAKEN = [("size=3", "size=2")]


def inputs():
    return [tf.constant(2.0)]


def more_inputs():
    return [[tf.constant([1.0, 2.0])]]
