"""Which op it is depends on the caller."""

import tensorflow as tf

tf.random.set_seed(4)


@tf.function(jit_compile=True)
def noise(x, draw):
    return x + draw([4])  # want: XLA201 draw


def run(x):
    return noise(x, tf.random.normal), noise(x, tf.random.uniform)


ENTRY = "run"
BEFORE = "wrong"
REASON = "other callers"
ORACLE = "random"


def inputs():
    return [tf.zeros([4])]
