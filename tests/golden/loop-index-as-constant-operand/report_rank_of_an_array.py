"""The rank of a NumPy array has no static spelling of a tensor."""

import numpy as np
import tensorflow as tf

@tf.function(jit_compile=True)
def f(s):
    x = np.ones([2, 3, 4], np.float32)
    total = tf.zeros([])
    for i in tf.range(tf.rank(x)):  # want: XLA101
        total += tf.reduce_max(tf.reduce_sum(x * s, axis=i))
    return total

def run():
    return f(tf.constant(2.0))


ENTRY = "run"
BEFORE = "error"
ERROR = "must be a compile-time constant"
REASON = r"no tensor|static"


def inputs():
    return []
