"""The outer step applies the gradients with an optimizer of Keras.

SAFE: apply_gradients compiles, and the optimizer is built before the step is traced.
"""

import tensorflow as tf


class Smoother(tf.Module):
    def __init__(self):
        super().__init__()
        self.weight = tf.Variable(0.2)
        self.optimizer = tf.keras.optimizers.SGD(learning_rate=0.1, momentum=0.9)
        self.optimizer.build([self.weight])

    @tf.function(jit_compile=True)
    def smooth(self, series):
        level = series[0]
        for t in tf.range(tf.shape(series)[0]):
            level = level + self.weight * (series[t] - level)
        return level

    @tf.function(jit_compile=True)
    def step(self, series, target):
        with tf.GradientTape() as tape:
            loss = tf.square(self.smooth(series) - target)  # want: XLA104 smooth
        gradient = tape.gradient(loss, self.weight)
        self.optimizer.apply_gradients([(gradient, self.weight)])
        return loss


def train(series, target):
    smoother = Smoother()
    losses = [smoother.step(series, target) for _ in range(3)]
    return losses, smoother.weight


ENTRY = "train"
BEFORE = "error"
ERROR = "TensorList crossing"
WEAKEN = [("@tf.function(jit_compile=True)\n    def step", "@tf.function\n    def step")]


def inputs():
    return [tf.constant([1.0, 3.0, 2.0]), tf.constant(2.5)]


def more_inputs():
    return [[tf.constant([1.0]), tf.constant(0.5)]]
