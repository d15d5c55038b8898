"""The outer function draws noise, and the seed is set anew in each call."""

import tensorflow as tf


@tf.function(jit_compile=True)
def settled(w, xs):
    level = tf.constant(0.0)
    for t in tf.range(tf.shape(xs)[0]):
        level = w * level + xs[t]
    return level


@tf.function
def noisy_step(w, xs):
    noise = tf.random.normal([3], seed=7)
    with tf.GradientTape() as tape:
        tape.watch(w)
        loss = tf.square(settled(w, xs + 0.1 * noise))  # want: XLA104 settled
    return w - 0.1 * tape.gradient(loss, w)


def train(w, xs):
    tf.random.set_seed(3)
    return noisy_step(w, xs)


ENTRY = "train"
BEFORE = "error"
ERROR = "TensorList crossing"
REASON = "may run several times"


def inputs():
    return [tf.constant(0.5), tf.constant([1.0, 2.0, 1.5])]
