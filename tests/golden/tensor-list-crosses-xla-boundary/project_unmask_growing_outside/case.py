"""The outer function, which has to be compiled, collects in a growing TensorArray: compiled, it would return nothing.

SAFE: one unconditional write per iteration at the index of one loop from 0; the outer function is a tf.function.
"""
import tensorflow as tf

ENTRY = "probes.study:sensitivities"
STAGES = ["XLA104"]
BEFORE = "error"
ERROR = "TensorList crossing"
WEAKEN = [
    ("probes/study.py", "@tf.function(jit_compile=True)", "@tf.function"),
    ("probes/study.py", "size=tf.shape(temperatures)[0], dynamic_size=False", "size=0, dynamic_size=True"),
]


def inputs():
    return [tf.constant(0.1), tf.constant([1.0, 2.0, 3.0])]


def more_inputs():
    return [[tf.constant(0.1), tf.constant([1.0])]]
