"""Loop indices as axes, in functions that are only reached through a registry dict of a dataclass pipeline.

The compiled roots are decorated with a functools.partial of tf.function from another module.
UNSAFE: `rank` is a parameter of public functions; that it is the int 3 of the only Pipeline(...) call is an assumption.
row_peaks uses its index only to pick a row: that loop must stay a tensor loop.
"""
import tensorflow as tf

ENTRY = "features.serve:run"
SAFETY = "unsafe"
BEFORE = "error"
ERROR = "must be a compile-time constant"
WEAKEN = [
    ("features/operators.py", "for axis in range(rank)", "for axis in range(rank - 1)"),
]


def inputs():
    return [tf.reshape(tf.cos(tf.range(36, dtype=tf.float32)), [3, 4, 3])]
