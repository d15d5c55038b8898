"""The new shape of tf.reshape is computed from the index of a tensor loop, in a method."""

import tensorflow as tf


class BlockPooler:
    def __init__(self, levels=3):
        self.levels = levels

    @tf.function(jit_compile=True)
    def __call__(self, signal):
        score = tf.constant(0.0)
        for level in range(1, self.levels + 1):  # want: XLA101 level
            blocks = tf.reshape(signal, [2 ** level, -1])
            score += tf.reduce_sum(tf.reduce_max(blocks, axis=1))
        return score


def run(signal):
    pooler = BlockPooler(levels=3)
    return pooler(signal)


ENTRY = "run"
BEFORE = "error"
ERROR = "must be a compile-time constant"
SAFETY = "safe"  # levels is set in __init__ alone, and every construction in sight passes a Python int
WEAKEN = [("self.levels + 1)", "self.levels)")]


def inputs():
    return [tf.sin(tf.range(32, dtype=tf.float32) * 0.7)]


def more_inputs():
    return [[tf.range(8, dtype=tf.float32)]]
