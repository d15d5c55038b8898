import argparse

import tensorflow as tf

ARGS = argparse.Namespace(seed=3)

dropout_rng = tf.random.Generator.from_seed(ARGS.seed)  # want: XLA202 one stream, 4 numbers apart
noise_rng = tf.random.Generator.from_seed(ARGS.seed + 1)  # want: XLA202 one stream, 4 numbers apart


@tf.function(jit_compile=True)
def corrupt(x):
    return x * dropout_rng.uniform(tf.shape(x)), x * noise_rng.uniform(tf.shape(x))


ENTRY = "corrupt"
ORACLE = "streams"
REFERENCE = "eager"
BEFORE = "wrong"
SAFETY = "unsafe"  # the seed is a Python int, and nobody needs the numbers drawn so far
RESEED = ("seed=3", "seed=5")
WEAKEN = [("[ARGS.seed + 1]", "[ARGS.seed]")]


def inputs():
    return [tf.ones([64])]
