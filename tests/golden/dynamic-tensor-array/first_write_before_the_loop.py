"""Element 0 is written before the loop, the others in it from 1."""

import tensorflow as tf


@tf.function(jit_compile=True)
def cumulated(x):
    out = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
    total = x[0]
    out = out.write(0, total)
    for t in tf.range(1, x.shape[0]):
        total += x[t]
        out = out.write(t, total)
    return out.stack()


ENTRY = "cumulated"
BEFORE = "wrong"
SAFETY = "safe"
WEAKEN = [("size=max(x.shape[0], 1)", "size=max(x.shape[0], 1) - 1")]


def inputs():
    return [tf.constant([0.5, -1.0, 2.0])]


def more_inputs():
    return [[tf.constant([4.0])]]
