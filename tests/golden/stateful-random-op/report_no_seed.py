"""No seed anywhere: which one to take is not for a tool to say."""

import tensorflow as tf


@tf.function(jit_compile=True)
def explore(q):
    return tf.random.uniform(tf.shape(q)) + q  # want: XLA201 follows no seed


ENTRY = "explore"
BEFORE = "wrong"
REASON = "no seed is set"
ORACLE = "random"


def inputs():
    return [tf.zeros([4])]
