"""Whether the root is compiled is an expression (a property of the settings): a `may` root.

The model is called compiled, as a plain graph and eagerly.
SAFE: the trip count is a class constant, an int; range() gives the same numbers in all three contexts.
"""
import tensorflow as tf

ENTRY = "mixer.infer:run"
SAFETY = "safe"
BEFORE = "error"
ERROR = "must be a compile-time constant"
WEAKEN = [
    ("mixer/blocks.py", "range(self.AXES)", "range(self.AXES - 1)"),
]


def inputs():
    return [tf.reshape(tf.sin(tf.range(12, dtype=tf.float32)), [3, 4])]
