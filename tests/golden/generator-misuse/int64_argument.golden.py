import numpy as np
import tensorflow as tf

SEED = np.array([1, 2])


def sample(logits, seed):
    return tf.random.stateless_categorical(logits, 8, tf.cast(seed, tf.int32))  # want: XLA202 int64 seed


@tf.function(jit_compile=True)
def decode(logits):
    return sample(logits, SEED)


def evaluate(logits):
    return sample(logits, SEED)


ENTRY = "decode"
ORACLE = "streams"
REFERENCE = "eager"
BEFORE = "error"
ERROR = "unsupported operations"
SAFETY = "unsafe"  # without XLA, in `evaluate`, the numbers change
RESEED = ("[1, 2]", "[1, 3]")
WEAKEN = [("tf.cast(seed, tf.int32)", "seed")]


def inputs():
    return [tf.zeros([3, 20])]
