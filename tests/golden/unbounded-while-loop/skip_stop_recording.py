"""The tape does not look while the loop runs."""

import tensorflow as tf


@tf.function(jit_compile=True)
def slope(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        with tape.stop_recording():
            norm, k = x, tf.constant(0)
            while k < 3:
                norm = tf.sin(norm)
                k += 1
        y = x * norm
    return tape.gradient(y, x)


ENTRY = "slope"


def inputs():
    return [tf.constant([0.5, 1.5])]
