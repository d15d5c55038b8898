"""How often the loop runs depends on data, and nothing bounds it."""

import tensorflow as tf


@tf.function(jit_compile=True)
def collatz(n):
    seen = tf.TensorArray(tf.int32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
    t = 0
    while n > 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        seen = seen.write(t, n)
        t += 1
    return seen.stack()


ENTRY = "collatz"
BEFORE = "wrong"
REASON = "bound|data|condition|how often|trip count"


def inputs():
    return [tf.constant(6)]
