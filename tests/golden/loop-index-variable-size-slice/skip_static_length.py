"""Windows of static length, also under a gradient: tf.slice with a Python size, and tf.gather."""

import tensorflow as tf

WIDTH = 2


@tf.function(jit_compile=True)
def gradient(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        loss = tf.constant(0.0)
        for i in tf.range(3):
            loss += tf.reduce_sum(tf.cumsum(tf.slice(x, [i], [WIDTH]))) ** 2
            loss += tf.gather(x, i + tf.range(WIDTH))[-1] * x[i]
    return loss, tape.gradient(loss, x)


ENTRY = "gradient"


def inputs():
    return [tf.constant([1.0, 2.0, -3.0, 4.0])]
