"""What is computed again for the gradient must draw the same numbers again."""

import tensorflow as tf

tf.random.set_seed(4)


@tf.recompute_grad
def block(x):
    return tf.nn.dropout(x, 0.5) * x  # want: XLA201 dropout


@tf.function(jit_compile=True)
def loss(x):
    return tf.reduce_sum(block(x))


ENTRY = "loss"
BEFORE = "wrong"
REASON = "recompute_grad"
ORACLE = "random"


def inputs():
    return [tf.ones([40])]
