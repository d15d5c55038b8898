import keras
import tensorflow as tf


class Scale(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        with keras.device("cpu:1"):
            self.scale = self.add_weight(shape=(3,), initializer="ones", name="scale")

    def call(self, x):
        return x * self.scale  # want: XLA301 `self.scale` lives on /CPU:1


layer = Scale()


@tf.function(jit_compile=True)
def step(x):
    return layer(x)


def run(x):
    with tf.device("cpu:1"):
        return step(x)


ENTRY = "run"


def inputs():
    return (tf.ones([3]),)


BEFORE = "error"
ERROR = "Trying to access resource"
DEVICES = 2
WEAKEN = [('    with tf.device("cpu:1"):\n        return', '    if True:\n        return')]
