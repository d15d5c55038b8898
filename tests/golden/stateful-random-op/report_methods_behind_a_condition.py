"""No method stands in the body of the class itself, before which an `__init__` could stand."""

import tensorflow as tf

tf.random.set_seed(7)


class Noisy(tf.Module):
    if tf.executing_eagerly():

        @tf.function(jit_compile=True)
        def __call__(self, x):
            return x + tf.random.normal(tf.shape(x))  # want: XLA201 normal


noisy = Noisy()


def run(x):
    return noisy(x)


ENTRY = "run"
BEFORE = "wrong"
REASON = "no method to put one before"
ORACLE = "random"


def inputs():
    return [tf.ones([4, 6])]
