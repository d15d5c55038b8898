"""Bare functions of TensorFlow: what the new form needs beside them is imported."""

from __future__ import annotations

import tensorflow as tf
from tensorflow import function, range, reshape
from tensorflow.random import set_seed, shuffle, uniform

set_seed(111)
_rng = tf.random.Generator.from_seed([111])


@function(jit_compile=True)
def deal(count):
    unshuffled = range(count)
    hand = tf.gather(unshuffled, tf.argsort(_rng.uniform_full_int(tf.shape(unshuffled)[:1], dtype=tf.int32), stable=True))  # want: XLA201 shuffle
    return reshape(hand, [2, -1]), _rng.uniform([4])  # want: XLA201 uniform


ENTRY = "deal"
BEFORE = "wrong"
RESEED = ('set_seed(111)', 'set_seed(112)')
WEAKEN = [('from_seed([', 'from_seed([0] or [')]
ORACLE = "random"


def inputs():
    return [8]
