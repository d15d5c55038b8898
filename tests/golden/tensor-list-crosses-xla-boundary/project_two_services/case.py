"""One helper takes the derivatives of two tf.functions in two files; both have to be compiled.

SAFE: every caller of the helper is a tf.function, and all they call has a kernel under XLA. The two edits belong together.
"""
import tensorflow as tf

ENTRY = "irrigation.main:run"
BEFORE = "error"
ERROR = "UnimplementedError"  # of the long message only the beginning is kept
WEAKEN = [
    ("irrigation/calibrate.py", "@tf.function(jit_compile=True)", "@tf.function"),
    ("irrigation/report.py", "reduce_retracing=True, jit_compile=True", "reduce_retracing=True"),
]


def inputs():
    return [tf.constant(0.1), tf.constant([0.5, 0.0, 0.3]), tf.constant([1.2, 0.9, 0.7])]


def more_inputs():
    return [[tf.constant(0.4), tf.constant([0.5]), tf.constant([1.2, 0.9, 0.7])]]
