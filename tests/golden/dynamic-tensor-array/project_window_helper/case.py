"""A helper with a growing TensorArray is called compiled, from a plain graph of unknown length, and eagerly.

Signals shorter than the window are legal outside XLA: the loop then has no iterations. `count` is negative there, which
tf.range takes and TensorArray(size=...) refuses in a graph, so the size has to be clamped at 0.
SAFE with the clamp: one unconditional write per iteration at the index of one loop from 0; `count` is local.
"""
import tensorflow as tf

ENTRY = "signals.service:run"
SAFETY = "safe"
MODES = ["graph"]  # eagerly tf.range raises for a negative limit
BEFORE = "wrong"
WEAKEN = [
    ("signals/windows.py", "tf.maximum(count, 0)", "tf.maximum(count - 1, 0)"),
]


def inputs():
    return [tf.constant([1.0, -2.0, 3.0, 0.5, 2.0]), tf.constant([1.0])]


def more_inputs():
    return [[tf.constant([1.0, 2.0, 3.0]), tf.constant([3.0, 1.0])]]
