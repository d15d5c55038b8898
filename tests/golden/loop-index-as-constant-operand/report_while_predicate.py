"""The counter of the AutoGraph loop is compared in `tf.cond`, which takes no Python bool."""

import tensorflow as tf

@tf.function(jit_compile=True)
def f(x):
    total = tf.zeros([])
    i = tf.constant(0)
    while i < 3:  # want: XLA101
        h = tf.cond(i > 0, lambda: x, lambda: x * 2.0)
        total += tf.reduce_max(tf.reduce_sum(h, axis=i))
        i += 1
    return total

def run():
    return f(tf.reshape(tf.range(24.0), [2, 3, 4]))


ENTRY = "run"
BEFORE = "error"
ERROR = "must be a compile-time constant"
REASON = r"cond|tensor"


def inputs():
    return []
