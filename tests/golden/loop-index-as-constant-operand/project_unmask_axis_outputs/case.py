"""The compile error (loop index as an axis) is all that stands before silent damage (a growing TensorArray).

Mending XLA101 alone turns the error into an empty result, so both fixes belong together.
SAFE: AXES is a module constant; one unconditional write per iteration at the index of one loop from 0.
"""
import tensorflow as tf

ENTRY = "volumes.serve:run"
SAFETY = "safe"
STAGES = ["XLA101"]
BEFORE = "error"
ERROR = "must be a compile-time constant"
WEAKEN = [
    ("volumes/history.py", "size=tf.shape(values)[0]", "size=tf.shape(values)[0] - 1"),
]


def inputs():
    return [tf.reshape(tf.range(24, dtype=tf.float32), [2, 3, 4]), tf.constant([0.5, -1.0, 2.0])]
