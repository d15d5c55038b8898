"""The same loop as a plain graph and eagerly."""

import tensorflow as tf


def ramp(x):
    total = tf.constant(0.0)
    for n in tf.range(1, 4):
        total += tf.reduce_sum(tf.cumsum(x[:n]))
    return total


as_graph = tf.function(ramp)


def run(x):
    return ramp(x), as_graph(x)


ENTRY = "run"


def inputs():
    return [tf.constant([1.0, 2.0, -3.0, 4.0])]
