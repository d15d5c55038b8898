"""The layer is made while the function is traced, where no generator can be made."""

import tensorflow as tf

tf.random.set_seed(4)


class Grain(tf.Module):
    def __init__(self, scale):
        super().__init__()
        self.scale = scale

    def __call__(self, x):
        return x + tf.random.normal(tf.shape(x), stddev=self.scale)  # want: XLA201 normal


@tf.function(jit_compile=True)
def noise(x):
    return Grain(0.5)(x)


ENTRY = "noise"
BEFORE = "wrong"
REASON = "made in compiled code"
ORACLE = "random"


def inputs():
    return [tf.zeros([4])]
