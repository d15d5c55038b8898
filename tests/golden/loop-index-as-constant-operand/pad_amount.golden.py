"""The paddings of tf.pad come from the index of a tensor loop, inside a helper; the loop length is
a static dimension.
"""

import tensorflow as tf


def shift_right(row, amount):
    padded = tf.pad(row, [[amount, 0]])
    return padded[:4]


@tf.function(jit_compile=True)
def autocorrelation(row):
    out = tf.TensorArray(tf.float32, size=row.shape[0], element_shape=[])
    for lag in range(row.shape[0]):  # want: XLA101 lag
        out = out.write(lag, tf.reduce_sum(row * shift_right(row, lag)))
    return out.stack()


ENTRY = "autocorrelation"
BEFORE = "error"
ERROR = "must be a compile-time constant"
SAFETY = "safe"  # the loop already runs over row.shape[0], so it is static wherever the code ran
WEAKEN = [("for lag in range(row.shape[0])", "for lag in range(row.shape[0] - 1)")]


def inputs():
    return [tf.constant([1.0, -2.0, 3.0, 0.5])]


def more_inputs():
    return [[tf.constant([0.0, 1.0, 2.0, 3.0])]]
