"""The stride of a slice is the index of a tensor loop (begin and end may vary, the stride may
not).
"""

import tensorflow as tf


class MultiRate(tf.Module):
    def __init__(self, rates):
        super().__init__()
        self.max_rate = rates
        self.gain = tf.Variable(1.5)

    @tf.function(jit_compile=True)
    def __call__(self, audio):
        loudness = tf.constant(0.0)
        for rate in tf.range(1, self.max_rate + 1):  # want: XLA101 rate
            decimated = audio[::rate]
            loudness += self.gain * tf.reduce_mean(tf.abs(decimated))
        return loudness


def main(audio):
    model = MultiRate(3)
    return model(audio)


ENTRY = "main"
BEFORE = "error"
ERROR = "must be a compile-time constant"
SAFETY = "safe"  # max_rate is set in __init__ alone, and every construction in sight passes a Python int
WEAKEN = [("self.max_rate + 1)", "self.max_rate)")]


def inputs():
    return [tf.sin(tf.range(12, dtype=tf.float32))]


def more_inputs():
    return [[tf.constant([1.0])]]
