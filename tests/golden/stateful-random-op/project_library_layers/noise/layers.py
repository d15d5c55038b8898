import tensorflow as tf

from .drops import dropped


class Grain:
    def __init__(self, scale):
        self.scale = scale

    def __call__(self, x):
        return dropped(x) + tf.random.normal(tf.shape(x), stddev=self.scale)  # want: XLA201 normal


def gain(x):
    return x * tf.random.uniform([tf.shape(x)[0], 1], 0.5, 1.5)  # want: XLA201 uniform
