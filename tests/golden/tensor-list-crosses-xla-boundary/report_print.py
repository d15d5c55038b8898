"""The outer function prints, which XLA has no kernel for."""

import tensorflow as tf


@tf.function(jit_compile=True)
def settled(w, xs):
    level = tf.constant(0.0)
    for t in tf.range(tf.shape(xs)[0]):
        level = w * level + xs[t]
    return level


@tf.function
def step(w, xs):
    with tf.GradientTape() as tape:
        tape.watch(w)
        loss = tf.square(settled(w, xs))  # want: XLA104 settled
    gradient = tape.gradient(loss, w)
    tf.print("gradient", gradient)
    return w - 0.1 * gradient


ENTRY = "step"
BEFORE = "error"
ERROR = "TensorList crossing"
REASON = "tf.print.*does not compile"


def inputs():
    return [tf.constant(0.5), tf.constant([1.0, 2.0, 1.5])]
