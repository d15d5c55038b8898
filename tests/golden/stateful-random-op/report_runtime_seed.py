"""The seed comes from outside."""

import os

import tensorflow as tf

seed = int(os.environ.get("SEED", "4"))
tf.random.set_seed(seed)


@tf.function(jit_compile=True)
def noise(x):
    return x + tf.random.normal(tf.shape(x))  # want: XLA201 normal


ENTRY = "noise"
BEFORE = "wrong"
REASON = "known only at run time"
ORACLE = "random"


def inputs():
    return [tf.zeros([4])]
