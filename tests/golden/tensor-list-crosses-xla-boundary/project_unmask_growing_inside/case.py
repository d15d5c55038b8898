"""The derivative crosses the border of XLA, and behind that error waits a growing TensorArray, whose gradient aborts.

SAFE: one unconditional write per iteration at the index of one loop from 0; the outer function is a tf.function.
"""
import tensorflow as tf

ENTRY = "tides.fit:fit_step"
STAGES = ["XLA104"]
BEFORE = "error"
ERROR = "TensorList crossing"
WEAKEN = [
    ("tides/fit.py", "@tf.function(jit_compile=True)", "@tf.function"),
    ("tides/model.py", "size=tf.shape(moon)[0]", "size=tf.shape(moon)[0] - 1"),
]


def inputs():
    return [tf.constant(1.5), tf.constant([0.1, 0.9, 2.0]), tf.constant([0.2, 0.9, 1.5])]


def more_inputs():
    return [[tf.constant(1.5), tf.constant([0.1]), tf.constant([0.2])]]
