"""The loop only computes whole numbers; nothing in it has a derivative."""

import tensorflow as tf


@tf.function(jit_compile=True)
def scaled(x, n):
    with tf.GradientTape() as tape:
        tape.watch(x)
        bits, left = tf.while_loop(lambda bits, left: left > 0, lambda bits, left: (bits + 1, left // 2), (0, 37))
        power = tf.constant(1)
        while power * power < 50:
            power = power * 3
        y = x * tf.cast(bits + power + left, tf.float32)
    return tape.gradient(y, x)


ENTRY = "scaled"


def inputs():
    return [tf.constant([0.5, 1.5]), tf.constant(37)]
