"""The graph with the derivative is a lambda."""

import tensorflow as tf


@tf.function(jit_compile=True)
def settled(w, xs):
    level = tf.constant(0.0)
    for t in tf.range(tf.shape(xs)[0]):
        level = w * level + xs[t]
    return level


slope = tf.function(lambda w, xs: tf.gradients(settled(w, xs), w)[0])  # want: XLA104 settled


def newton(w, xs):
    return w - settled(w, xs) / slope(w, xs)


ENTRY = "newton"
BEFORE = "error"
ERROR = "TensorList crossing"
REASON = "lambda"


def inputs():
    return [tf.constant(0.5), tf.constant([1.0, 2.0, 1.5])]
