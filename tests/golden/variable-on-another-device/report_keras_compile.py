import keras
import tensorflow as tf


class Scale(keras.Model):
    def __init__(self):
        super().__init__()
        with tf.device("/CPU:1"):
            self.scale = self.add_weight(shape=(3,), initializer="ones")

    def call(self, x):
        return x * self.scale  # want: XLA301 `self.scale` lives on /CPU:1


def run(x):
    model = Scale()
    model.compile("sgd", "mse", jit_compile=True)
    model.fit(x, x, verbose=0)
    return model(x)


ENTRY = "run"


def inputs():
    return (tf.ones([1, 3]),)


BEFORE = "error"
ERROR = "Graph execution error"
REASON = "build, compile and run it under one device scope"
DEVICES = 2
