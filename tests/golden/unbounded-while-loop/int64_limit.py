"""Counter and limit are int64; the bound must be an int32."""

import tensorflow as tf


@tf.function(jit_compile=True)
def filtered(signal, decay):
    with tf.GradientTape() as tape:
        tape.watch(decay)
        size = tf.shape(signal, out_type=tf.int64)[0]
        i = tf.constant(0, tf.int64)
        level = tf.constant(0.0)
        while i < size:  # want: XLA102 `while` loop
            level = decay * level + signal[i]
            i += 1
    return level, tape.gradient(level, decay)


ENTRY = "filtered"
BEFORE = "error"
ERROR = "fixed tensor list size"
WEAKEN = [("tf.cast(size, tf.int32)", "tf.cast(size - 1, tf.int32)"), ("tf.cast(size, tf.int32)", "size")]


def inputs():
    return [tf.constant([1.0, 2.0, 3.0]), tf.constant(0.5)]


def more_inputs():
    return [[tf.constant([1.0]), tf.constant(2.0)], [tf.constant([3.0, 1.0, 2.0, 5.0]), tf.constant(0.1)]]
