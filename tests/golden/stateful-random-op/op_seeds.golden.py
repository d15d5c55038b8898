"""Only the ops have seeds: the first one is the seed of the generator."""

import os

import tensorflow as tf

NOISE = 17
_rng = tf.random.Generator.from_seed([NOISE])


@tf.function(jit_compile=True)
def jitter(x):
    shift = _rng.normal([5])  # want: XLA201 normal
    return x + shift, _rng.uniform([3]), os.sep == "/"  # want: XLA201 uniform


ENTRY = "jitter"
BEFORE = "wrong"
RESEED = ('NOISE = 17', 'NOISE = 27')
WEAKEN = [('from_seed([NOISE])', 'from_seed([0])')]
ORACLE = "random"


def inputs():
    return [tf.zeros([5])]
