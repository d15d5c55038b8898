import tensorflow as tf

first = tf.random.Generator.from_seed(1)
second = tf.random.Generator.from_seed(2)


@tf.function(jit_compile=True)
def double(x):
    return 2.0 * x


def noisy(x, seed):
    shuffled = tf.random.experimental.stateless_shuffle(x, seed)
    return double(shuffled), first.uniform([8]), second.uniform([8]), tf.random.stateless_poisson([1], seed, [2.0])


ENTRY = "noisy"


def inputs():
    return [tf.zeros([8]), [1, 2]]
