"""A Python list and tf.stack."""

import tensorflow as tf


@tf.function(jit_compile=True)
def stacked(x):
    parts = []
    for i in range(x.shape[0]):
        parts.append(x[i] * float(i))
    return tf.stack(parts)


ENTRY = "stacked"


def inputs():
    return [tf.constant([1.0, -2.0, 3.0])]
