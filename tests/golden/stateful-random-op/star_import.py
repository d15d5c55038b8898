"""Names of TensorFlow out of a star import."""

import tensorflow as tf
from tensorflow.random import *

set_seed(221)


@tf.function(jit_compile=True)
def start(n):
    return normal([3]) + tf.cast(n, tf.float32)  # want: XLA201 normal


ENTRY = "start"
BEFORE = "wrong"
RESEED = ('set_seed(221)', 'set_seed(222)')
WEAKEN = [('from_seed([', 'from_seed([0] or [')]
ORACLE = "random"


def inputs():
    return [tf.constant(0)]
