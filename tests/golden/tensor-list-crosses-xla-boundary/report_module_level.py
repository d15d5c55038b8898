"""The derivative is taken at module level, where there is nothing to compile."""

import tensorflow as tf


@tf.function(jit_compile=True)
def settled(w, xs):
    level = tf.constant(0.0)
    for t in tf.range(tf.shape(xs)[0]):
        level = w * level + xs[t]
    return level


rate = tf.Variable(0.5)

with tf.GradientTape() as tape:
    end = settled(rate, tf.constant([1.0, 2.0]))  # want: XLA104 settled
slope = tape.gradient(end, rate)


def corrected():
    return rate - 0.1 * slope


ENTRY = "corrected"
BEFORE = "error"
ERROR = "TensorList crossing"
REASON = "module level"


def inputs():
    return []
