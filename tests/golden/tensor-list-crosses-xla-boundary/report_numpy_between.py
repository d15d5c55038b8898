"""A plain function needs the number of the loss in between."""

import tensorflow as tf


@tf.function(jit_compile=True)
def settled(w, xs):
    level = tf.constant(0.0)
    for t in tf.range(tf.shape(xs)[0]):
        level = w * level + xs[t]
    return level


def search(w, xs):
    rate = 0.1
    for _ in range(3):
        with tf.GradientTape() as tape:
            tape.watch(w)
            loss = tf.square(settled(w, xs))  # want: XLA104 settled
        if loss.numpy() > 4.0:
            rate = 0.01
        w = w - rate * tape.gradient(loss, w)
    return w


ENTRY = "search"
BEFORE = "error"
ERROR = "TensorList crossing"
REASON = "eager tensor"


def inputs():
    return [tf.constant(0.5), tf.constant([1.0, 2.0, 1.5])]
