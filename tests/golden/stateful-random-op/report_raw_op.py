"""The bare op ignores its seeds as well."""

import tensorflow as tf

tf.random.set_seed(4)


@tf.function(jit_compile=True)
def noise(x):
    return x + tf.raw_ops.RandomStandardNormal(shape=[4], dtype=tf.float32, seed=1, seed2=2)  # want: XLA201 raw


ENTRY = "noise"
BEFORE = "wrong"
REASON = "raw ops"
ORACLE = "random"


def inputs():
    return [tf.zeros([4])]
