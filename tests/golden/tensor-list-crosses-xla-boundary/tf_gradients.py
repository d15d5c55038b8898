"""A graph without XLA asks tf.gradients for the derivative.

SAFE: the outer function is a tf.function already, and all it calls has a kernel under XLA.
"""

import tensorflow as tf


@tf.function(jit_compile=True)
def settled(w, xs):
    level = tf.constant(0.0)
    for t in tf.range(tf.shape(xs)[0]):
        level = w * level + xs[t]
    return level


@tf.function
def slopes(w, xs):
    end = settled(w, xs)  # want: XLA104 settled
    return tf.gradients(end, [w, xs])


ENTRY = "slopes"
BEFORE = "error"
ERROR = "TensorList crossing"
MODES = ["graph"]  # there is no tf.gradients in eager mode
WEAKEN = [("@tf.function(jit_compile=True)\ndef slopes", "@tf.function\ndef slopes")]


def inputs():
    return [tf.constant(0.5), tf.constant([1.0, 2.0, 1.5])]


def more_inputs():
    return [[tf.constant(-1.0), tf.constant([1.0, 2.0])]]
