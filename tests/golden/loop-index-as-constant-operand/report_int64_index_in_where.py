"""The int64 index is compared with int64 data, where a Python int would be int32."""

import tensorflow as tf

@tf.function(jit_compile=True)
def best_axis(x):
    best = tf.constant(-1, tf.int64)
    high = tf.constant(-1e9)
    for i in tf.range(3, dtype=tf.int64):  # want: XLA101
        score = tf.reduce_max(tf.reduce_sum(x, axis=i))
        better = score > high
        best = tf.where(better, i, best)
        high = tf.maximum(score, high)
    return best, high

def run():
    return best_axis(tf.reshape(tf.range(24.0), [2, 3, 4]))


ENTRY = "run"
BEFORE = "error"
ERROR = "must be a compile-time constant"
REASON = r"int64"


def inputs():
    return []
