"""Something draws before the seed is set, and would find no generator."""

import tensorflow as tf


@tf.function(jit_compile=True)
def noise(x):
    return x + tf.random.normal(tf.shape(x))  # want: XLA201 normal


first = noise(tf.zeros([2]))
tf.random.set_seed(4)


def run(x):
    return noise(x)


ENTRY = "run"
BEFORE = "wrong"
REASON = "before the seed is set"
ORACLE = "random"


def inputs():
    return [tf.zeros([4])]
