"""A class below calls the `__init__` of TensorFlow alone, so the generator would be missing there."""

import tensorflow as tf

tf.random.set_seed(7)


class Noisy(tf.Module):
    def __init__(self):
        super().__init__()
        self.scale = 0.1

    def noise(self, x):
        return self.scale * tf.random.normal(tf.shape(x))  # want: XLA201 normal


class Model(Noisy):
    def __init__(self):
        tf.Module.__init__(self)
        self.scale = 0.2

    @tf.function(jit_compile=True)
    def __call__(self, x):
        return x + self.noise(x)


model = Model()


def run(x):
    return model(x)


ENTRY = "run"
BEFORE = "wrong"
REASON = "does not call that of `Noisy`"
ORACLE = "random"


def inputs():
    return [tf.ones([4, 6])]
