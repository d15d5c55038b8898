import tensorflow as tf


@tf.function(jit_compile=True)
def noisy(rng, x):
    return x + rng.uniform(tf.shape(x), maxval=100, dtype=tf.int32)


def step(x, seed):
    return noisy(tf.random.Generator.from_seed([seed]), x)


def test_step():
    rng = tf.random.Generator.from_seed(0)
    assert noisy(rng, tf.range(2)).shape == (2,)


ENTRY = "step"


def inputs():
    return [tf.range(8), 3]


def more_inputs():
    return [[tf.range(8), 4]]
