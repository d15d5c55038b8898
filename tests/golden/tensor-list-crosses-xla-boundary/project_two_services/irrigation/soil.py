import tensorflow as tf


class Soil:
    """A column of soil that dries out and is watered."""

    def __init__(self, layers):
        self.layers = layers

    @tf.function(jit_compile=True)
    def moisture(self, loss_rate, rain):
        column = tf.ones([self.layers])
        for day in tf.range(tf.shape(rain)[0]):
            column = column * (1.0 - loss_rate) + rain[day] * tf.linspace(1.0, 0.0, self.layers)
        return column
