"""A decorator calls the function where it is made, before the seed is set."""

import tensorflow as tf


def warmed(function):
    function(tf.zeros([2, 2]))
    return function


@warmed
@tf.function(jit_compile=True)
def noise(x):
    return x + tf.random.normal(tf.shape(x))  # want: XLA201 normal


tf.random.set_seed(7)


ENTRY = "noise"
BEFORE = "wrong"
REASON = "before the seed is set"
ORACLE = "random"


def inputs():
    return [tf.ones([4, 6])]
