"""A helper compares the index in `tf.cond`, which takes no Python bool: there it becomes an op."""

import tensorflow as tf

def _gate(x, step):
    return tf.cond(tf.greater(step, 0), lambda: x * 2.0, lambda: x)

@tf.function(jit_compile=True)
def f(x):
    total = tf.zeros([])
    for i in range(3):  # want: XLA101
        total += tf.reduce_max(tf.reduce_sum(_gate(x, i), axis=i))
    return total

def run():
    return f(tf.reshape(tf.range(24.0), [2, 3, 4]))


ENTRY = "run"
BEFORE = "error"
ERROR = "must be a compile-time constant"
SAFETY = "safe"
WEAKEN = [("range(3)", "range(2)")]


def inputs():
    return []
