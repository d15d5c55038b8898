"""A TensorArray that starts empty and grows: compiled, its stack() is silently empty."""

import tensorflow as tf


@tf.function(jit_compile=True)
def running_max(x):
    history = tf.TensorArray(tf.float32, size=x.shape[0], dynamic_size=False)  # want: XLA103 TensorArray
    best = x[0]
    for t in tf.range(x.shape[0]):
        best = tf.maximum(best, x[t])
        history = history.write(t, best)
    return history.stack()


ENTRY = "running_max"
BEFORE = "wrong"
SAFETY = "safe"  # one write per iteration at the index; the loop already runs over x.shape[0]
WEAKEN = [("size=x.shape[0]", "size=x.shape[0] - 1"), ("size=x.shape[0]", "size=0")]


def inputs():
    return [tf.constant([1.0, 3.0, 2.0, 5.0])]


def more_inputs():
    return [[tf.constant([2.0])]]
