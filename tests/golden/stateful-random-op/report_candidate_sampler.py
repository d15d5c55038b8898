"""Losses that draw candidates themselves."""

import tensorflow as tf

tf.random.set_seed(4)


@tf.function(jit_compile=True)
def loss(weights, biases, labels, x):
    return tf.nn.nce_loss(weights, biases, labels, x, 3, 9)  # want: XLA201 nce_loss


ENTRY = "loss"
BEFORE = "error"
REASON = "sampled_values"
ERROR = "OpKernel"
ORACLE = "random"


def inputs():
    return [tf.ones([9, 2]), tf.zeros([9]), tf.constant([[1]], tf.int64), tf.ones([1, 2])]
