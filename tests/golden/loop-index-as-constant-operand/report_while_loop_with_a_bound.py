"""The loop has a bound of its own, which a Python loop over the condition would not keep."""

import tensorflow as tf

@tf.function(jit_compile=True)
def f(x):
    i, total = tf.while_loop(  # want: XLA101
        lambda i, t: i < 3,
        lambda i, t: (i + 1, t + tf.reduce_max(tf.reduce_sum(x, axis=i))),
        [tf.constant(0), tf.zeros([])],
        maximum_iterations=2)
    return total

def run():
    return f(tf.reshape(tf.range(24.0), [2, 3, 4]))


ENTRY = "run"
BEFORE = "error"
ERROR = "must be a compile-time constant"
REASON = r"counterpart"


def inputs():
    return []
