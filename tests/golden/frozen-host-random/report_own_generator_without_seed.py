import random

import numpy as np
import tensorflow as tf


class Jitter:
    def __init__(self):
        self.rng = random.Random(3)

    def __call__(self, x):
        rng = np.random.default_rng()
        noise = rng.uniform()  # want: XLA203 numpy.random.Generator.uniform
        return x + noise + self.rng.random()  # want: XLA203 random.Random.random


jitter = Jitter()


@tf.function(jit_compile=True)
def step(x):
    return jitter(x)


ENTRY = "step"
ORACLE = "streams"
REFERENCE = "eager"
BEFORE = "wrong"
REASON = "one number for all calls"


def inputs():
    return [tf.zeros([1])]


def more_inputs():
    return [[tf.zeros([1])]]
