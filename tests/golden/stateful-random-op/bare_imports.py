"""Bare functions of TensorFlow: what the new form needs beside them is imported."""

from __future__ import annotations

from tensorflow import function, range, reshape
from tensorflow.random import set_seed, shuffle, uniform

set_seed(111)


@function(jit_compile=True)
def deal(count):
    hand = shuffle(range(count))  # want: XLA201 shuffle
    return reshape(hand, [2, -1]), uniform([4], seed=3)  # want: XLA201 uniform


ENTRY = "deal"
BEFORE = "wrong"
RESEED = ('set_seed(111)', 'set_seed(112)')
WEAKEN = [('from_seed([', 'from_seed([0] or [')]
ORACLE = "random"


def inputs():
    return [8]
