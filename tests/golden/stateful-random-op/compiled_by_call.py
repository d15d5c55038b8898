"""The compiled function is the only one that is called, under a name of its own."""

import tensorflow as tf

tf.random.set_seed(201)


def roll(x):
    return x + tf.random.uniform([2], 1, 7, tf.int32)  # want: XLA201 uniform


fast = tf.function(roll, jit_compile=True)


def run(x):
    return fast(x)


ENTRY = "run"
BEFORE = "wrong"
RESEED = ('set_seed(201)', 'set_seed(202)')
WEAKEN = [('from_seed([', 'from_seed([0] or [')]
ORACLE = "random"


def inputs():
    return [tf.zeros([2], tf.int32)]
