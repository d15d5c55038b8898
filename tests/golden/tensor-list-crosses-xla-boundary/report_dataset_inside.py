"""The outer function goes through a dataset, which stays on the host."""

import tensorflow as tf


@tf.function(jit_compile=True)
def settled(w, xs):
    level = tf.constant(0.0)
    for t in tf.range(tf.shape(xs)[0]):
        level = w * level + xs[t]
    return level


batches = tf.data.Dataset.from_tensor_slices([[1.0, 2.0, 1.5], [0.5, 0.0, 1.0]])


@tf.function
def epoch(w):
    for xs in batches:
        with tf.GradientTape() as tape:
            tape.watch(w)
            loss = tf.square(settled(w, xs))  # want: XLA104 settled
        w = w - 0.1 * tape.gradient(loss, w)
    return w


ENTRY = "epoch"
BEFORE = "error"
ERROR = "TensorList crossing"
REASON = "dataset"


def inputs():
    return [tf.constant(0.5)]
