"""The list has one item where the array is made, and four where the loop begins."""

import tensorflow as tf


@tf.function(jit_compile=True)
def pyramid(image):
    levels = [image]
    out = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
    for _ in range(3):
        levels.append(levels[-1] * 0.5)
    for i, level in enumerate(levels):
        out = out.write(i, tf.reduce_mean(level))
    return out.stack()


ENTRY = "pyramid"
BEFORE = "wrong"
REASON = "levels.*keeps its length"


def inputs():
    return [tf.constant([1.0, 2.0, 3.0])]
