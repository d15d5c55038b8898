"""`~` of a Python bool is a number, of a tensor it is a negation."""

import tensorflow as tf

@tf.function(jit_compile=True)
def f(x):
    total = tf.zeros([])
    for i in tf.range(3):  # want: XLA101
        w = tf.cast(~(i > 0), tf.float32)
        total += w * tf.reduce_max(tf.reduce_sum(x, axis=i))
    return total

def run():
    return f(tf.reshape(tf.range(24.0), [2, 3, 4]))


ENTRY = "run"
BEFORE = "error"
ERROR = "must be a compile-time constant"
REASON = r"~"


def inputs():
    return []
