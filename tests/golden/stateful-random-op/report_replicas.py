"""Each replica would need a stream of its own."""

import tensorflow as tf

tf.random.set_seed(4)
strategy = tf.distribute.OneDeviceStrategy("/cpu:0")


@tf.function(jit_compile=True)
def noise(x):
    return x + tf.random.normal(tf.shape(x))  # want: XLA201 normal


def run(x):
    return strategy.run(noise, (x,))


ENTRY = "run"
BEFORE = "wrong"
REASON = "replicas"
ORACLE = "random"


def inputs():
    return [tf.zeros([4])]
