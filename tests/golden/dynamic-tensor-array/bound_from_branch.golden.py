"""An `if` on a tensor makes a tensor of the Python number: Python has no `max` for it."""

import tensorflow as tf


@tf.function(jit_compile=True)
def differences(x, long):
    n = 3
    if long:
        n = 5
    out = tf.TensorArray(tf.float32, size=tf.maximum(n - 1, 0), dynamic_size=False)  # want: XLA103 TensorArray
    for i in tf.range(n - 1):
        out = out.write(i, x[i + 1] - x[i])
    return out.stack()


ENTRY = "differences"
BEFORE = "wrong"
WEAKEN = [("tf.maximum(n - 1, 0)", "max(n - 1, 0)"), ("tf.maximum(n - 1, 0)", "n - 2")]


def inputs():
    return [tf.constant([1.0, 2.0, 4.0, 8.0, 16.0]), tf.constant(True)]


def more_inputs():
    return [[tf.constant([1.0, 2.0, 4.0]), tf.constant(False)]]
