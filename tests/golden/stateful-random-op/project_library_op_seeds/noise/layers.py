import tensorflow as tf

SEED = 4


class Grain(tf.Module):
    def __call__(self, x):
        return x + tf.random.normal(tf.shape(x))  # want: XLA201 normal


def gain(x):
    return x * tf.random.uniform([6, 1], 0.5, 1.5, seed=SEED)  # want: XLA201 uniform
