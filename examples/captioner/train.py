"""The compiled functions of the model."""

import tensorflow as tf

from .config import CaptionerConfig
from .decoder import Decoder
from .masking import prefix_loss
from .stats import contrast


class Captioner(tf.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.decoder = Decoder(config)
        self.readout = tf.Variable(tf.linspace(1.0, -0.5, config.hidden))

    def features(self, image):
        """image [height, width, channels] -> [hidden]."""
        return tf.linspace(0.0, 1.0, self.config.hidden) * tf.reduce_mean(image)

    def loss(self, image, targets):
        states = self.decoder.unroll(self.features(image))
        scores = tf.linalg.matvec(states, self.readout)
        return prefix_loss(scores, targets) * (1.0 + contrast(image))


model = Captioner(CaptionerConfig())


@tf.function(jit_compile=True)
def describe(image):
    """The states from which words are chosen."""
    return model.decoder.unroll(model.features(image))


@tf.function(jit_compile=True)
def image_contrast(image):
    return contrast(image)


@tf.function(jit_compile=True)
def prefix_gradient(scores, targets):
    with tf.GradientTape() as tape:
        tape.watch(scores)
        loss = prefix_loss(scores, targets)
    return loss, tape.gradient(loss, scores)


@tf.function(jit_compile=True)
def train_step(image, targets):
    """One step of gradient descent; returns the loss before it, and the gradients."""
    variables = (model.decoder.kernel, model.decoder.bias, model.readout)
    with tf.GradientTape() as tape:
        loss = model.loss(image, targets)
    gradients = tape.gradient(loss, variables)
    for variable, gradient in zip(variables, gradients):
        variable.assign_sub(model.config.learning_rate * gradient)
    return loss, gradients
