from tensorflow.random import Generator
import tensorflow as tf


class Dropout:
    def __init__(self, rate):
        self.rate = rate
        self.rng = Generator.from_seed(8)  # want: XLA202 all of them draw the same numbers

    def __call__(self, x):
        return x + self.rate * self.rng.uniform(tf.shape(x))


def jitter(x):
    rng = Generator.from_seed(5)  # want: XLA202 makes a variable
    return x + rng.normal(tf.shape(x))
