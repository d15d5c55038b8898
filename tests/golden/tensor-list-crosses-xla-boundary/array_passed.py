"""A graph that is not compiled passes its TensorArray to a compiled function.

UNSAFE: all callers in sight pass an array, and every use of the parameter is followed; others may be out of sight.
"""

import tensorflow as tf


@tf.function(jit_compile=True)
def spread(history):
    table = history.stack()
    return tf.reduce_max(table, axis=0) - tf.reduce_min(table, axis=0)


@tf.function
def simulate(x):
    history = tf.TensorArray(tf.float32, size=3)
    for t in tf.range(3):
        x = tf.sin(x)
        history = history.write(t, x)
    return spread(history)  # want: XLA104 TensorArray


ENTRY = "simulate"
BEFORE = "error"
ERROR = "variant"
SAFETY = "unsafe"  # no caller is hidden
WEAKEN = [("spread(history.stack())", "spread(history)")]


def inputs():
    return [tf.constant([1.0, 5.0])]


def more_inputs():
    return [[tf.constant([0.0])]]
