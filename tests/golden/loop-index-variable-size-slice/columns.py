"""A slice of the columns; the last column of it is padding. The rows are not affected."""

import tensorflow as tf


class Causal:
    def __init__(self, width):
        self.width = width

    @tf.function(jit_compile=True)
    def edges(self, x):
        total = tf.zeros([x.shape[0]])
        for i in tf.range(1, self.width):  # want: XLA105 slice
            seen = x[:, :i]
            total += seen[:, -1] * tf.cast(i, tf.float32)
        return total


def run(x):
    causal = Causal(4)
    return causal.edges(x)


ENTRY = "run"
BEFORE = "wrong"
SAFETY = "safe"
WEAKEN = [("in range(", "in tf.range("), ("self.width)", "self.width - 1)")]


def inputs():
    return [tf.reshape(tf.range(12, dtype=tf.float32), [3, 4])]


def more_inputs():
    return [[tf.ones([1, 4])]]
