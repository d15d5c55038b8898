"""A plain graph needs no bound; what XLA compiles has no loop."""

import tensorflow as tf


@tf.function
def slope(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        k, y = tf.constant(0), x
        while k < 3:
            y = tf.sin(y)
            k += 1
        y = tf.while_loop(lambda k, y: k < 3, lambda k, y: (k + 1, tf.sin(y)), (0, y))[1]
    return tape.gradient(y, x)


@tf.function(jit_compile=True)
def double(x):
    return 2.0 * x


def run(x):
    return double(slope(x))


ENTRY = "run"


def inputs():
    return [tf.constant([0.5, 1.5])]
