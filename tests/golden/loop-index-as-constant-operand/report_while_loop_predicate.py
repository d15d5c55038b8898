"""The body of the loop uses the counter in `tf.cond`, which takes no Python bool."""

import tensorflow as tf

@tf.function(jit_compile=True)
def f(x):
    def body(i, t):
        h = tf.cond(i < 2, lambda: x, lambda: x * 2.0)
        return i + 1, t + tf.reduce_max(tf.reduce_sum(h, axis=i))
    i, total = tf.while_loop(lambda i, t: i < 3, body, [tf.constant(0), tf.zeros([])])  # want: XLA101
    return total

def run():
    return f(tf.reshape(tf.range(24.0), [2, 3, 4]))


ENTRY = "run"
BEFORE = "error"
ERROR = "must be a compile-time constant"
REASON = r"tensor"


def inputs():
    return []
