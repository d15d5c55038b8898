"""What stands in the starred arguments may be a seed."""

import tensorflow as tf

tf.random.set_seed(4)
OPTIONS = {"stddev": 0.5}


@tf.function(jit_compile=True)
def noise(x):
    return x + tf.random.normal(tf.shape(x), **OPTIONS)  # want: XLA201 normal


ENTRY = "noise"
BEFORE = "wrong"
REASON = "starred"
ORACLE = "random"


def inputs():
    return [tf.zeros([4])]
