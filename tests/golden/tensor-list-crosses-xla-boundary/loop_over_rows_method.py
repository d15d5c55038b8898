"""The loop goes over the rows of a parameter, of which nothing says that it is a tensor.

UNSAFE: a list would be unrolled, and nothing would cross the border.
"""

import tensorflow as tf


class Reservoir(tf.Module):
    def __init__(self, size):
        super().__init__()
        self.leak = tf.Variable(tf.fill([size], 0.5))

    @tf.function(jit_compile=True)
    def run(self, inputs):
        state = tf.zeros_like(self.leak)
        for x in inputs:
            state = (1.0 - self.leak) * state + self.leak * tf.tanh(x + state)
        return state

    @tf.function
    def update(self, inputs, target):
        """One step of gradient descent; returns the loss before it."""
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.run(inputs) - target))  # want: XLA104 compiled
        self.leak.assign_sub(0.2 * tape.gradient(loss, self.leak))
        return loss


def train(inputs, target):
    reservoir = Reservoir(2)
    losses = [reservoir.update(inputs, target) for _ in range(3)]
    return losses, reservoir.leak


ENTRY = "train"
BEFORE = "error"
SAFETY = "unsafe"  # the argument is a tensor
ERROR = "TensorList crossing"
WEAKEN = [("@tf.function(jit_compile=True)\n    def update", "@tf.function\n    def update")]


def inputs():
    return [tf.constant([[0.1, 0.5], [1.0, -0.3]]), tf.constant([0.2, 0.2])]


def more_inputs():
    return [[tf.constant([[2.0, -2.0]]), tf.constant([0.0, 1.0])]]
