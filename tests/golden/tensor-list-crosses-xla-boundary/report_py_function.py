"""The outer function clips with NumPy, on the host."""

import numpy as np
import tensorflow as tf


@tf.function(jit_compile=True)
def settled(w, xs):
    level = tf.constant(0.0)
    for t in tf.range(tf.shape(xs)[0]):
        level = w * level + xs[t]
    return level


def clip(value):
    return np.clip(value.numpy(), -1.0, 1.0)


@tf.function
def step(w, xs):
    with tf.GradientTape() as tape:
        tape.watch(w)
        loss = tf.square(settled(w, xs))  # want: XLA104 settled
    gradient = tf.py_function(clip, [tape.gradient(loss, w)], tf.float32)
    return w - 0.1 * gradient


ENTRY = "step"
BEFORE = "error"
ERROR = "TensorList crossing"
REASON = "py_function"


def inputs():
    return [tf.constant(0.5), tf.constant([1.0, 2.0, 1.5])]
