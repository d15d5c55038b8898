"""The index sizes a tensor and the loop length is tf.shape(x)[0]: range() needs the static
x.shape[0].
"""

import tensorflow as tf


@tf.function(jit_compile=True)
def ragged_prefix_means(x):
    out = tf.constant(0.0)
    for n in range(x.shape[0]):  # want: XLA101 `?n`?
        mask = tf.pad(tf.ones([n + 1]), [[0, x.shape[0] - 1 - n]])
        out += tf.reduce_sum(mask * x) / tf.cast(n + 1, x.dtype)
    return out


ENTRY = "ragged_prefix_means"
BEFORE = "error"
ERROR = "must be a compile-time constant"
SAFETY = "safe"  # the body computes with x.shape[0], so it is static wherever the code ran
WEAKEN = [("range(x.shape[0])", "range(x.shape[0] - 1)"), ("range(x.shape[0])", "range(tf.shape(x)[0])")]


def inputs():
    return [tf.constant([2.0, 4.0, 9.0])]


def more_inputs():
    return [[tf.constant([2.0])], [tf.zeros([0])]]
