import functools

import tensorflow as tf

with tf.device("/CPU:1"):
    weights = tf.Variable([1.0, 2.0, 3.0])


def scaled(by, x, and_by):
    return x * by * and_by  # want: XLA301 `by` lives on /CPU:1, but compiled `scaled` is called


step = functools.partial(tf.function(functools.partial(scaled, weights), jit_compile=True), and_by=2.0)


def run(x):
    return step(x)


ENTRY = "run"


def inputs():
    return (tf.ones([3]),)


BEFORE = "error"
ERROR = "Trying to access resource"
DEVICES = 2
WEAKEN = [('    with tf.device("/CPU:1"):\n        return', '    if True:\n        return')]
