import tensorflow as tf


class Noise(tf.Module):
    def __init__(self, scale, seed=4):
        super().__init__()
        self.scale = scale
        self.rng = tf.random.Generator.from_seed(seed)  # want: XLA202 several objects are given no seed

    def __call__(self, x):
        return x + self.scale * self.rng.uniform(tf.shape(x))


noises = [Noise(1.0), Noise(1.0), Noise(1.0, seed=2**40)]


@tf.function(jit_compile=True)
def forward(x):
    return [noise(x) for noise in noises]


def test_noise():
    assert Noise(1.0)(tf.zeros([2])).shape == (2,)


ENTRY = "forward"
ORACLE = "streams"
REFERENCE = "eager"
BEFORE = "wrong"
REASON = "a seed of its own"


def inputs():
    return [tf.zeros([16])]
