"""The loop runs over a named range of named length; the array is written in a helper."""

import tensorflow as tf


def record(log, t, value):
    return log.write(t, tf.square(value))


@tf.function(jit_compile=True)
def trace(x):
    count = x.shape[0]
    rounds = tf.range(count)
    log = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
    for t in rounds:
        log = record(log, t, x[t])
    return log.stack()


ENTRY = "trace"
BEFORE = "wrong"
SAFETY = "safe"
WEAKEN = [("size=count", "size=count - 1")]


def inputs():
    return [tf.constant([1.0, 2.0, 5.0])]


def more_inputs():
    return [[tf.constant([4.0])]]
