import tensorflow as tf
from tensorflow import random as tfr

CHAINS = 3
chains = [tfr.Generator.from_seed(seed=[100 + i]) for i in range(CHAINS)]  # want: XLA202 one stream, a few numbers apart


@tf.function(jit_compile=True)
def propose(x):
    return [x + chain.normal(tf.shape(x)) for chain in chains]


ENTRY = "propose"
ORACLE = "streams"
REFERENCE = "eager"
BEFORE = "wrong"
SAFETY = "unsafe"  # nobody needs the numbers drawn so far
RESEED = ("100 + i", "200 + i")
WEAKEN = [("[100 + i]", "100 + i")]


def inputs():
    return [tf.zeros([64])]
