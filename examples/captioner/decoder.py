"""Turns the features of an image into a sequence of states."""

import tensorflow as tf


class Decoder(tf.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.kernel = tf.Variable(0.6 * tf.eye(config.hidden) + 0.1)
        self.bias = tf.Variable(tf.linspace(-0.5, 0.5, config.hidden))

    def step(self, state):
        return tf.tanh(tf.linalg.matvec(self.kernel, state) + self.bias)

    def unroll(self, state):
        """state [hidden] -> the states of all steps [max_length, hidden]."""
        outputs = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
        for t in tf.range(self.config.max_length):
            state = self.step(state)
            outputs = outputs.write(t, state)
        return outputs.stack()
