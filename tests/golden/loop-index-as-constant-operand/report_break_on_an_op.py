"""The loop ends on the result of an op, which is a tensor whatever the index is."""

import tensorflow as tf

@tf.function(jit_compile=True)
def f(x):
    total = tf.zeros([])
    for i in tf.range(3):  # want: XLA101
        if tf.equal(i, 2):
            break
        total += tf.reduce_max(tf.reduce_sum(x, axis=i))
    return total

def run():
    return f(tf.reshape(tf.range(24.0), [2, 3, 4]))


ENTRY = "run"
BEFORE = "error"
ERROR = "must be a compile-time constant"
REASON = r"tensor condition"


def inputs():
    return []
