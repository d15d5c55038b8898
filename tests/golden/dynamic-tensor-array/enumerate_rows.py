"""A Python loop with enumerate; the trip count is the length of a tuple."""

import tensorflow as tf

RATES = (0.5, 1.0, 2.0)


@tf.function(jit_compile=True)
def scaled(x):
    out = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
    for n, rate in enumerate(RATES):
        out = out.write(n, x * rate)
    return out.stack()


ENTRY = "scaled"
BEFORE = "wrong"
SAFETY = "safe"
WEAKEN = [("size=len(RATES)", "size=len(RATES) - 1")]


def inputs():
    return [tf.constant([1.0, 2.0])]


def more_inputs():
    return [[tf.constant(0.0)]]
