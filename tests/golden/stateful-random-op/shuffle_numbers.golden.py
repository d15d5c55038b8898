"""Whole numbers have no derivative: shuffling them needs no assumption. What has no name gets one."""

import tensorflow as tf

tf.random.set_seed(81)
_rng = tf.random.Generator.from_seed([81])


@tf.function(jit_compile=True)
def folds(x):
    unshuffled = tf.range(tf.shape(x)[0])
    order = tf.gather(unshuffled, tf.argsort(_rng.uniform_full_int(tf.shape(unshuffled)[:1], dtype=tf.int32), stable=True))  # want: XLA201 shuffle
    return tf.gather(x, order)


ENTRY = "folds"
BEFORE = "wrong"
RESEED = ('set_seed(81)', 'set_seed(82)')
WEAKEN = [('from_seed([', 'from_seed([0] or ['), ('tf.argsort(_rng', 'tf.sort(_rng')]
ORACLE = "random"


def inputs():
    return [tf.range(9)]
