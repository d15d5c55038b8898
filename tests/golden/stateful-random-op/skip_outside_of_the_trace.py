"""Drawn in an init_scope: once, and not by XLA. Samples that are given are not drawn."""

import tensorflow as tf

tf.random.set_seed(1)


@tf.function(jit_compile=True)
def shifted(x, weights, biases, labels, sampled):
    with tf.init_scope():
        shift = tf.random.normal([2])
    loss = tf.nn.nce_loss(weights, biases, labels, x, 3, 9, sampled_values=sampled)
    return x + shift, loss


def run(x):
    labels = tf.constant([[1]], tf.int64)
    sampled = tf.random.log_uniform_candidate_sampler(labels, 1, 3, True, 9, seed=2)
    return shifted(x, tf.ones([9, 2]), tf.zeros([9]), labels, sampled)


ENTRY = "run"
ORACLE = "random"


def inputs():
    return [tf.zeros([1, 2])]
