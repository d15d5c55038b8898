import tensorflow as tf

first = tf.random.Generator.from_seed(17)
second = tf.random.Generator.from_seed(20_240_131)
third = tf.random.Generator.from_seed([17])
fourth = tf.random.Generator.from_seed((18,))


@tf.function(jit_compile=True)
def noisy(x):
    return [x + rng.normal(tf.shape(x)) for rng in (first, second, third, fourth)]


ENTRY = "noisy"
ORACLE = "streams"
REFERENCE = "eager"


def inputs():
    return [tf.zeros([64])]
