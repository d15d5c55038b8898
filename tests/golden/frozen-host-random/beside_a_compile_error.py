import random

import tensorflow as tf

random.seed(3)


@tf.function(jit_compile=True)
def sums(x):
    total = tf.zeros([])
    for i in tf.range(2):  # want: XLA101 axis
        total += tf.reduce_sum(tf.reduce_max(x, axis=i))
    return total * random.choice([2.0, 3.0])  # want: XLA203 random.choice


ENTRY = "sums"
BEFORE = "error"
ERROR = "axis|constant"
WEAKEN = [("in range(2)", "in range(1)")]


def inputs():
    return [tf.constant([[1.0, 2.0], [5.0, 3.0]])]


def more_inputs():
    return [[tf.zeros([1, 1])]]
