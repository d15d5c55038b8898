"""A tape that is asked for nothing."""

import tensorflow as tf


@tf.function(jit_compile=True)
def value(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.while_loop(lambda k, y: k < 3, lambda k, y: (k + 1, tf.sin(y)), (0, x))[1]
    return y * len(tape.watched_variables()) if tape.watched_variables() else y


ENTRY = "value"


def inputs():
    return [tf.constant([0.5, 1.5])]
