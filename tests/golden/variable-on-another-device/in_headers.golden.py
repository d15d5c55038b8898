import contextlib

import tensorflow as tf

with tf.device("/CPU:1"):
    total = tf.Variable([0.0, 0.0, 0.0])


@tf.function(jit_compile=True)
def step(x):
    return total.assign_add(x)  # want: XLA301 `total` lives on /CPU:1


def run(x):
    result = tf.zeros([])
    with tf.device("/CPU:1"):
        items = step(x)
    for value in items:  # each of them
        result += value
    with tf.device("/CPU:1"):
        condition = (tf.reduce_sum(step(x))  # of all
        > 2.0)
    if (
        condition
    ):
        result += 1.0
    with tf.device("/CPU:1"):
        context = contextlib.nullcontext(step(x))
    with context as state, contextlib.nullcontext(result) as other:
        with tf.device("/CPU:1"):
            assert step(x) is not None, "no result"
        return state + other


ENTRY = "run"


def inputs():
    return (tf.ones([3]),)


BEFORE = "error"
ERROR = "Trying to access resource"
SAFETY = "unsafe"  # a comment moves
DEVICES = 2
WEAKEN = [('with tf.device("/CPU:1"):\n        items', 'if True:\n        items')]
