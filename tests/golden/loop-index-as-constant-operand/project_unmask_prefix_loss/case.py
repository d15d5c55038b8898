"""A compile error (loop index as an axis) hides a wrong gradient (a slice whose length is a loop index).

Mending XLA101 alone gives a program that compiles, with a gradient that is silently wrong; both fixes belong together.
SAFE: AXES is a module constant; the other loop already runs to a static dimension.
"""
import tensorflow as tf

ENTRY = "ranker.train:run"
SAFETY = "safe"
STAGES = ["XLA101"]
BEFORE = "error"
ERROR = "must be a compile-time constant"
WEAKEN = [
    ("ranker/prefix.py", "in range(", "in tf.range("),
    ("ranker/prefix.py", "weights.shape[0])", "weights.shape[0] - 1)"),
    ("ranker/axes.py", "range(AXES)", "range(AXES - 1)"),
]


def inputs():
    return [tf.constant([1.0, -2.0, 3.0, 0.5]), tf.reshape(tf.sin(tf.range(12, dtype=tf.float32)), [3, 4])]


def more_inputs():
    return [[tf.constant([1.0, -2.0]), tf.constant([[3.0]])]]
