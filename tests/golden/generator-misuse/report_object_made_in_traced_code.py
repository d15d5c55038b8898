import tensorflow as tf


class Noise(tf.Module):
    def __init__(self, seed):
        super().__init__()
        self.rng = tf.random.Generator.from_seed(seed)  # want: XLA202 makes a variable

    def __call__(self, x):
        return x + self.rng.normal(tf.shape(x))


@tf.function(jit_compile=True)
def noisy(x):
    return Noise(3)(x)


ENTRY = "noisy"
ORACLE = "streams"
REFERENCE = "eager"
BEFORE = "error"
ERROR = "tf.Variable"
REASON = "has to be made outside"


def inputs():
    return [tf.zeros([4])]
