"""Some of the arguments are given elsewhere."""

from functools import partial

import tensorflow as tf

tf.random.set_seed(4)
small = partial(tf.random.normal, stddev=0.1)


@tf.function(jit_compile=True)
def noise(x):
    return x + small(tf.shape(x))  # want: XLA201 small


ENTRY = "noise"
BEFORE = "wrong"
REASON = "functools.partial"
ORACLE = "random"


def inputs():
    return [tf.zeros([4])]
