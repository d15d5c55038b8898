"""Two arrays in one loop, the other written in reverse."""

import tensorflow as tf


@tf.function(jit_compile=True)
def both_ways(x):
    n = x.shape[0]
    there = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
    back = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
    state = tf.constant(1.0)
    for t in tf.range(n):
        state = tf.tanh(state + x[t])
        there, back = there.write(t, state), back.write(n - 1 - t, state)
    return there.stack(), back.stack()


ENTRY = "both_ways"
BEFORE = "wrong"
SAFETY = "safe"
WEAKEN = [("there = tf.TensorArray(tf.float32, size=n", "there = tf.TensorArray(tf.float32, size=n - 1"), ("back = tf.TensorArray(tf.float32, size=n", "back = tf.TensorArray(tf.float32, size=n - 1")]


def inputs():
    return [tf.constant([0.5, -1.0, 2.0])]


def more_inputs():
    return [[tf.constant([0.1])]]
