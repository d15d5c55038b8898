"""The loop is cut short by an option that a Python loop ignores."""

import tensorflow as tf

@tf.function(jit_compile=True)
def f(x):
    total = tf.zeros([])
    for i in tf.range(3):  # want: XLA101
        tf.autograph.experimental.set_loop_options(maximum_iterations=2)
        total += tf.reduce_max(tf.reduce_sum(x, axis=i))
    return total

def run():
    return f(tf.reshape(tf.range(24.0), [2, 3, 4]))


ENTRY = "run"
BEFORE = "error"
ERROR = "must be a compile-time constant"
REASON = r"set_loop_options"


def inputs():
    return []
