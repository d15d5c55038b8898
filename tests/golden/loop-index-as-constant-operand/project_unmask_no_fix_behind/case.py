"""A compile error (loop index as an axis) hides a growing TensorArray for which there is no bound.

Mending XLA101 would give a program that compiles and returns an empty trace, so nothing may change in bulk.
"""
import tensorflow as tf

ENTRY = "descent.solve:run"
STAGES = ["XLA101"]
BEFORE = "error"
ERROR = "must be a compile-time constant"
REASON = "bound|data|condition|silent"


def inputs():
    return [tf.constant([[4.0, -2.0], [3.0, 0.5]])]


def more_inputs():
    return [[tf.constant([[64.0]])]]
