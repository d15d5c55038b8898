import tensorflow as tf


class TokenMix:
    """Mixes an array with shifted copies of itself, one per axis."""

    AXES = 2

    def __init__(self, weight):
        self.weight = weight

    def __call__(self, x):
        mixed = x
        for axis in range(self.AXES):  # want: XLA101 axis
            mixed = mixed + self.weight * tf.roll(x, shift=1, axis=axis)
        return mixed


class Gate:
    def __call__(self, x):
        return x * tf.sigmoid(x)
