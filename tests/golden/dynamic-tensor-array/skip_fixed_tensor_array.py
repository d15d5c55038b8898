"""A TensorArray of fixed size in a tensor loop under a gradient."""

import tensorflow as tf


@tf.function(jit_compile=True)
def recur_grad(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        ta = tf.TensorArray(tf.float32, size=tf.shape(x)[0])
        h = tf.constant(0.0)
        for t in tf.range(tf.shape(x)[0]):
            h = tf.tanh(h + x[t])
            ta = ta.write(t, h)
        loss = tf.reduce_sum(ta.stack())
    return tape.gradient(loss, x)


ENTRY = "recur_grad"


def inputs():
    return [tf.constant([0.1, 0.4, -0.3])]
