"""Two masks with one seed are the same mask without XLA."""

import tensorflow as tf

tf.random.set_seed(3)
MASK = 7


@tf.function(jit_compile=True)
def product(a, b):
    a = tf.nn.dropout(a, 0.5, seed=MASK)  # want: XLA201 dropout
    return a * tf.nn.dropout(b, 0.5, seed=7)  # want: XLA201 dropout


ENTRY = "product"
BEFORE = "wrong"
REASON = "same seed 7"
ORACLE = "random"


def inputs():
    return [tf.ones([9]), tf.ones([9])]
