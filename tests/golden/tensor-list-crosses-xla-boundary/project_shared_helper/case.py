"""A helper with a tape is called from two tf.functions in two files, one of them a method.

SAFE: every caller of the helper is a tf.function, and all they call has a kernel under XLA. The two edits belong together.
"""
import tensorflow as tf

ENTRY = "pricing.main:run"
BEFORE = "error"
ERROR = "TensorList crossing"
WEAKEN = [
    ("pricing/quotes.py", "@tf.function(jit_compile=True)", "@tf.function"),
    ("pricing/risk.py", "autograph=False, jit_compile=True", "autograph=False"),
]


def inputs():
    return [tf.constant(0.03), tf.constant([5.0, 5.0, 105.0])]


def more_inputs():
    return [[tf.constant(0.0), tf.constant([100.0])]]
