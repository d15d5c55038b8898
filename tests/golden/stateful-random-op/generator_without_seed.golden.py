"""The generator of the module never repeats its numbers, and the program sets a seed: it needs another."""

import os

import tensorflow as tf; tf.random.set_seed(7)

fresh = tf.random.Generator.from_non_deterministic_state()
os.environ["TF_NUM_INTRAOP_THREADS"] = "1"
_rng = tf.random.Generator.from_seed([7])


@tf.function(jit_compile=True)
def noisy(x):
    return x + _rng.normal(tf.shape(x))  # want: XLA201 normal


ENTRY = "noisy"
BEFORE = "wrong"
RESEED = ("set_seed(7)", "set_seed(8)")
WEAKEN = [("from_seed([", "from_seed([0] or [")]
ORACLE = "random"


def inputs():
    return [tf.ones([4, 6])]
