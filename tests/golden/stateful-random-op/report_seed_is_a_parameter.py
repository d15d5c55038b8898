"""Each call brings its seed: a stateless op would do, and is another program."""

import tensorflow as tf


@tf.function(jit_compile=True)
def noise(x, seed):
    return x + tf.random.normal(tf.shape(x), seed=seed)  # want: XLA201 normal


ENTRY = "noise"
BEFORE = "wrong"
REASON = "known only at run time"
ORACLE = "random"


def inputs():
    return [tf.zeros([4]), 3]
