"""The size is right already, but the array may grow: under a gradient the compiler aborts."""

import tensorflow as tf


@tf.function(jit_compile=True)
def gradient(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        rows = tf.TensorArray(tf.float32, size=3, dynamic_size=True)  # want: XLA103 TensorArray
        for i in tf.range(3):
            rows = rows.write(i, x[i] ** 2)
        loss = tf.reduce_sum(rows.stack())
    return tape.gradient(loss, x)


ENTRY = "gradient"
BEFORE = "abort"
SAFETY = "safe"
WEAKEN = [("size=3", "size=2"), ("dynamic_size=False", "dynamic_size=True")]


def inputs():
    return [tf.constant([0.3, 1.5, -1.0])]


def more_inputs():
    return [[tf.zeros([3])]]
