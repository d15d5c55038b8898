"""The helper also draws eagerly, where the numbers did follow the seed."""

import tensorflow as tf

tf.random.set_seed(211)


def grain(x):
    return x + tf.random.normal(tf.shape(x))  # want: XLA201 normal


@tf.function(jit_compile=True)
def compiled(x):
    return grain(x)


def run(x):
    return compiled(x), grain(x)


ENTRY = "run"
BEFORE = "wrong"
RESEED = ('set_seed(211)', 'set_seed(212)')
SAFETY = "unsafe"  # that the eager caller may get other numbers
WEAKEN = [('from_seed([', 'from_seed([0] or [')]
ORACLE = "random"


def inputs():
    return [tf.zeros([3])]
