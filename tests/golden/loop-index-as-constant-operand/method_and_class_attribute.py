"""Trip count from a class attribute; the index goes through a method of the same class."""

import tensorflow as tf


class PyramidPooling(tf.Module):
    LEVELS = 3

    def __init__(self):
        super().__init__()
        self.gain = tf.Variable(0.5)

    def pool(self, signal, level):
        return tf.reduce_max(tf.reshape(signal, [level + 1, -1]), axis=1)

    @tf.function(jit_compile=True)
    def gradient(self, signal):
        with tf.GradientTape() as tape:
            score = tf.constant(0.0)
            for level in tf.range(self.LEVELS):  # want: XLA101 level
                score += tf.reduce_sum(self.pool(self.gain * signal, level))
        return score, tape.gradient(score, self.gain)


def run(signal):
    layer = PyramidPooling()
    return layer.gradient(signal)


ENTRY = "run"
BEFORE = "error"
ERROR = "must be a compile-time constant"
SAFETY = "safe"
WEAKEN = [("range(self.LEVELS)", "range(self.LEVELS - 1)")]


def inputs():
    return [tf.sin(tf.range(12, dtype=tf.float32))]


def more_inputs():
    return [[tf.ones([6])]]
