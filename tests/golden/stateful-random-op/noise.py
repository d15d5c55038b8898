"""Noise with the seed of the program."""

import tensorflow as tf

SEED = 11
tf.random.set_seed(SEED)


@tf.function(jit_compile=True)
def blur(image, level):
    grain = tf.random.normal(tf.shape(image), mean=0.0, stddev=level)  # want: XLA201 tf.random.normal
    return image + grain


ENTRY = "blur"
BEFORE = "wrong"
RESEED = ('SEED = 11', 'SEED = 12')
WEAKEN = [('from_seed([SEED])', 'from_seed([5])'), ('_rng.normal', 'tf.random.normal')]
ORACLE = "random"


def inputs():
    return [tf.zeros([6, 5]), tf.constant(0.3)]
