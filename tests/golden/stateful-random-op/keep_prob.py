"""Dropout of TensorFlow 1 takes the probability to keep, unless it is given a rate."""

import tensorflow as tf

tf.random.set_seed(41)
DROPPED = 0.3


@tf.function(jit_compile=True)
def thinned(h):
    a = tf.compat.v1.nn.dropout(h, 1.0 - DROPPED)  # want: XLA201 dropout
    b = tf.compat.v1.nn.dropout(h, keep_prob=0.9, noise_shape=[1, 16])  # want: XLA201 dropout
    c = tf.compat.v1.nn.dropout(h, None, rate=DROPPED)  # want: XLA201 dropout
    d = tf.compat.v1.nn.dropout(h, None, None, None, "d", DROPPED)  # want: XLA201 dropout
    return a, b, c, d


ENTRY = "thinned"
BEFORE = "wrong"
RESEED = ('set_seed(41)', 'set_seed(42)')
WEAKEN = [('1 - (1.0 - DROPPED)', '1.0 - DROPPED'), ('rate=1 - 0.9', 'rate=0.9'), ('from_seed([', 'from_seed([0] or [')]
ORACLE = "random"


def inputs():
    return [tf.ones([8, 16])]
