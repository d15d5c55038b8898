"""A named int64 start and an int64 limit."""

import tensorflow as tf


@tf.function(jit_compile=True)
def total_energy(x, gain):
    with tf.GradientTape() as tape:
        tape.watch(gain)
        count = tf.size(x, out_type=tf.int64)
        start = tf.constant(0, dtype=tf.int64)
        _, energy = tf.while_loop(  # want: XLA102 while_loop
            lambda i, e: i < count, lambda i, e: (i + 1, tf.square(gain * x[i] + e)), (start, 0.0), maximum_iterations=tf.cast(count, tf.int32)
        )
    return energy, tape.gradient(energy, gain)


ENTRY = "total_energy"
BEFORE = "error"
ERROR = "fixed tensor list size"
WEAKEN = [("tf.cast(count, tf.int32)", "tf.cast(count - 1, tf.int32)")]


def inputs():
    return [tf.constant([0.1, 0.2, 0.3]), tf.constant(0.5)]


def more_inputs():
    return [[tf.constant([1.0]), tf.constant(0.5)], [tf.constant([0.3, 0.1, 0.2, 0.5]), tf.constant(0.1)]]
