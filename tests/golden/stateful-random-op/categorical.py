"""Draws of a category: the stateless op, with a seed of 32 bits."""

import tensorflow as tf

tf.random.set_seed(3)


@tf.function(jit_compile=True)
def tokens(logits):
    first = tf.random.categorical(logits, 4, tf.int32)  # want: XLA201 categorical
    second = tf.random.categorical(logits, num_samples=2, seed=8)  # want: XLA201 categorical
    return first, second


ENTRY = "tokens"
BEFORE = "wrong"
RESEED = ('set_seed(3)', 'set_seed(4)')
WEAKEN = [('from_seed([', 'from_seed([0] or ['), ('num_samples=2, seed=_rng.uniform_full_int([2], dtype=tf.int32)', 'num_samples=2, seed=tf.constant([1, 2])')]
ORACLE = "random"


def inputs():
    return [tf.reshape(tf.linspace(-1.0, 1.0, 30), [3, 10])]
