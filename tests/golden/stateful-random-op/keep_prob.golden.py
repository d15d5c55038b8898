"""Dropout of TensorFlow 1 takes the probability to keep, unless it is given a rate."""

import tensorflow as tf

tf.random.set_seed(41)
_rng = tf.random.Generator.from_seed([41])
DROPPED = 0.3


@tf.function(jit_compile=True)
def thinned(h):
    a = tf.nn.experimental.general_dropout(h, 1 - (1.0 - DROPPED), uniform_sampler=_rng.uniform)  # want: XLA201 dropout
    b = tf.nn.experimental.general_dropout(h, rate=1 - 0.9, noise_shape=[1, 16], uniform_sampler=_rng.uniform)  # want: XLA201 dropout
    c = tf.nn.experimental.general_dropout(h, uniform_sampler=_rng.uniform, rate=DROPPED)  # want: XLA201 dropout
    d = tf.nn.experimental.general_dropout(h, noise_shape=None, name="d", rate=DROPPED, uniform_sampler=_rng.uniform)  # want: XLA201 dropout
    return a, b, c, d


ENTRY = "thinned"
BEFORE = "wrong"
RESEED = ('set_seed(41)', 'set_seed(42)')
WEAKEN = [('1 - (1.0 - DROPPED)', '1.0 - DROPPED'), ('rate=1 - 0.9', 'rate=0.9'), ('from_seed([', 'from_seed([0] or [')]
ORACLE = "random"


def inputs():
    return [tf.ones([8, 16])]
