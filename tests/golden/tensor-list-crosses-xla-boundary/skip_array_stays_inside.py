"""Arrays are passed on inside of one compilation, and to a compiled function from eager code."""

import tensorflow as tf


@tf.function(jit_compile=True)
def peak(history):
    return tf.reduce_max(history.stack(), axis=0)


def collected(x):
    history = tf.TensorArray(tf.float32, size=3)
    for i in tf.range(3):
        history = history.write(i, x * tf.cast(i, tf.float32))
    return history


@tf.function(jit_compile=True)
def inside(x):
    return tf.reduce_sum(collected(x).stack()), collected(x).stack()


def both(x):
    history = tf.TensorArray(tf.float32, size=2)
    history = history.write(0, x).write(1, -x)
    return inside(x), peak(history)


ENTRY = "both"


def inputs():
    return [tf.constant([1.0, -2.0])]
