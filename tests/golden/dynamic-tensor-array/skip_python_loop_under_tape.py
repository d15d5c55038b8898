"""A TensorArray filled by a Python loop may be differentiated from outside."""

import tensorflow as tf

w = tf.Variable(1.5)


@tf.function(jit_compile=True)
def features(x):
    ta = tf.TensorArray(tf.float32, size=3)
    for i in range(3):
        ta = ta.write(i, x[i] * w)
    return ta.stack()


def grad(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(features(x) ** 2)
    return tape.gradient(loss, w)


ENTRY = "grad"


def inputs():
    return [tf.constant([1.0, 2.0, 3.0])]
