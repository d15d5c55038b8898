"""Dropout in a helper that compiled functions call, and nobody else."""

import tensorflow as tf

tf.keras.utils.set_random_seed(51)
_rng = tf.random.Generator.from_seed([51])


def hidden(x, training):
    """Two layers, in a call over several lines."""
    h = tf.nn.relu(x)
    if training:
        h = tf.nn.experimental.general_dropout(  # want: XLA201 dropout
            h,
            rate=0.25,  # as in the paper
            noise_shape=[8, 1],
            uniform_sampler=_rng.uniform,
            name="drop",
        )
    return h


@tf.function(jit_compile=True)
def train(x):
    return tf.reduce_sum(hidden(x, True), axis=1)


@tf.function(jit_compile=True)
def test(x):
    return hidden(x, False)


ENTRY = "train"
BEFORE = "wrong"
RESEED = ('set_random_seed(51)', 'set_random_seed(52)')
WEAKEN = [('rate=0.25', 'rate=0.75'), ('from_seed([', 'from_seed([0] or [')]
ORACLE = "random"


def inputs():
    return [tf.ones([8, 12])]
