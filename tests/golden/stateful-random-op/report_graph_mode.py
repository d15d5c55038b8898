"""Without eager execution the state of a generator would have to be initialised."""

import tensorflow as tf

tf.compat.v1.disable_eager_execution()
tf.random.set_seed(4)


@tf.function(jit_compile=True)
def noise(x):
    return x + tf.random.normal([4])  # want: XLA201 normal


def run(x):
    with tf.compat.v1.Session() as session:
        return session.run(noise(tf.constant(x)))


ENTRY = "run"
BEFORE = "wrong"
REASON = "eager execution is off"
ORACLE = "random"


def inputs():
    return [[0.0, 0.0, 0.0, 0.0]]
