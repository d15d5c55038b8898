"""The loop ends on a tensor condition, which a Python loop cannot do."""

import tensorflow as tf


@tf.function(jit_compile=True)
def grow(x):
    total = tf.constant(0.0)
    for n in tf.range(1, 4):  # want: XLA105 slice
        if total > 3.0:
            break
        prefix = x[:n]
        total += prefix[-1]
    return total


ENTRY = "grow"
BEFORE = "wrong"
REASON = "break"


def inputs():
    return [tf.constant([1.0, 2.0, 3.0, 4.0])]
