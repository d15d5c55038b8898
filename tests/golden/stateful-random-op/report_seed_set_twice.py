"""The seed is set again in between."""

import tensorflow as tf

tf.random.set_seed(1)


@tf.function(jit_compile=True)
def noise(x):
    return x + tf.random.normal(tf.shape(x))  # want: XLA201 normal


def both(x):
    first = noise(x)
    tf.random.set_seed(2)
    return first, noise(x)


ENTRY = "both"
BEFORE = "wrong"
REASON = "several places"
ORACLE = "random"


def inputs():
    return [tf.zeros([4])]
