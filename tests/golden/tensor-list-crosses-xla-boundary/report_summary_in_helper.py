"""A helper of the outer function writes a summary."""

import tensorflow as tf


@tf.function(jit_compile=True)
def settled(w, xs):
    level = tf.constant(0.0)
    for t in tf.range(tf.shape(xs)[0]):
        level = w * level + xs[t]
    return level


writer = tf.summary.create_file_writer("logs")


def record(step, loss):
    with writer.as_default():
        tf.summary.write("loss", loss, step=step)


@tf.function
def train_step(w, xs):
    with tf.GradientTape() as tape:
        tape.watch(w)
        loss = tf.square(settled(w, xs))  # want: XLA104 settled
    record(0, loss)
    return w - 0.1 * tape.gradient(loss, w)


ENTRY = "train_step"
BEFORE = "error"
ERROR = "TensorList crossing"
REASON = "summary"


def inputs():
    return [tf.constant(0.5), tf.constant([1.0, 2.0, 1.5])]
