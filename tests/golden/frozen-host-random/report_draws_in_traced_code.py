import random as pyrandom
from random import choice

import numpy as np
import tensorflow as tf
from numpy.random import default_rng

HOST = default_rng(0)


def shifted(x, rng: np.random.Generator):
    return x + rng.normal(size=3).astype("float32")  # want: XLA203 numpy.random.Generator.normal


@tf.function(jit_compile=True)
def step(x):
    x = x * pyrandom.uniform(1.0, 2.0)  # want: XLA203 random.uniform
    if pyrandom.random() < 0.5:  # want: XLA203 random.random
        x = -x
    x = x + choice([1.0, 2.0])  # want: XLA203 random.choice
    x = x + np.random.randn(3).astype("float32")  # want: XLA203 numpy.random.randn
    return shifted(x, HOST)


ENTRY = "step"
ORACLE = "streams"
REFERENCE = "eager"
BEFORE = "wrong"
REASON = "one number for all calls"


def inputs():
    return [tf.zeros([3])]


def more_inputs():
    return [[tf.zeros([3])]]
