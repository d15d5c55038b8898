import tensorflow as tf


@tf.function(jit_compile=True)
def noisy(rng, x):
    return x + rng.normal(tf.shape(x))


def pretrain(data):
    rng = tf.random.Generator.from_seed(1)
    return [noisy(rng, x) for x in data]


def train(data):
    rng = tf.random.Generator.from_seed(2)
    return [noisy(rng, x) for x in data]


def test_noise():
    for seed in range(3):
        assert noisy(tf.random.Generator.from_seed(seed), tf.zeros([2])).shape == (2,)


ENTRY = "train"
REFERENCE = "random"


def inputs():
    return [[tf.zeros([4]), tf.zeros([4])]]
