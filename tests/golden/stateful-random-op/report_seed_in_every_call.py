"""A function that may run often sets the seed."""

import tensorflow as tf


@tf.function(jit_compile=True)
def noise(x):
    return x + tf.random.normal(tf.shape(x))  # want: XLA201 normal


def sample(x):
    tf.random.set_seed(2)
    return noise(x)


ENTRY = "sample"
BEFORE = "wrong"
REASON = "may run several times"
ORACLE = "random"


def inputs():
    return [tf.zeros([4])]
