"""enumerate counts from 1, so its number is no index."""

import tensorflow as tf


@tf.function(jit_compile=True)
def averages(x):
    steps = [0.5, 1.0, 2.0]
    out = tf.TensorArray(tf.float32, size=len(steps), dynamic_size=False)  # want: XLA103 TensorArray
    out_len = 0
    for k, step in enumerate(steps, start=1):
        x = x + step
        out = out.write(out_len, x / k)
        out_len += 1
    return out.stack()


ENTRY = "averages"
BEFORE = "wrong"
WEAKEN = [("size=len(steps)", "size=len(steps) - 1"), ("write(out_len,", "write(k,")]


def inputs():
    return [tf.constant([1.0, 2.0, 3.0])]


def more_inputs():
    return [[tf.constant(0.0)]]
