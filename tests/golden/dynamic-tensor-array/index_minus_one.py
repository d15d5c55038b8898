"""The loop runs from 1, the writes from 0."""

import tensorflow as tf


@tf.function(jit_compile=True)
def differences(x):
    n = x.shape[0]
    steps = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
    for t in tf.range(1, n):
        steps = steps.write(t - 1, x[t] - x[t - 1])
    return steps.stack()


ENTRY = "differences"
BEFORE = "wrong"
SAFETY = "safe"
WEAKEN = [("size=max(n - 1, 0)", "size=n - 2"), ("size=max(n - 1, 0)", "size=n")]


def inputs():
    return [tf.constant([0.5, -1.0, 2.0])]


def more_inputs():
    return [[tf.constant([0.5, 1.0])]]
