import contextlib

import tensorflow as tf

with tf.device("/CPU:1"):
    total = tf.Variable([0.0, 0.0, 0.0])


@tf.function(jit_compile=True)
def step(x):
    return total.assign_add(x)  # want: XLA301 `total` lives on /CPU:1


def run(x):
    result = tf.zeros([])
    for value in step(x):  # each of them
        result += value
    if (
        tf.reduce_sum(step(x))  # of all
        > 2.0
    ):
        result += 1.0
    with contextlib.nullcontext(step(x)) as state, contextlib.nullcontext(result) as other:
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
