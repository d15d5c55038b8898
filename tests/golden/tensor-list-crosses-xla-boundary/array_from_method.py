"""A method returns the array from two places; the callers are a method and a function.

UNSAFE: another caller may need the array.
"""

import tensorflow as tf


class Ladder(tf.Module):
    def __init__(self):
        super().__init__()
        self.factor = tf.Variable(0.5)

    @tf.function(jit_compile=True)
    def rungs(self, height, double):
        out = tf.TensorArray(tf.float32, size=3)
        for i in tf.range(3):
            out = out.write(i, height * self.factor ** tf.cast(i, tf.float32))
        if double:
            return tf.TensorArray(tf.float32, size=3).unstack(2.0 * out.stack())  # want: XLA104 TensorArray
        return out

    def heights(self, height):
        rungs = self.rungs(height, False)
        return rungs.stack()


def heights(height):
    ladder = Ladder()
    return ladder.heights(height), ladder.rungs(height, True).read(1)


ENTRY = "heights"
BEFORE = "error"
ERROR = "TensorList crossing|variant"
SAFETY = "unsafe"  # no caller is hidden
REFERENCE = "eager"
WEAKEN = [("return out.stack()", "return out"), (".rungs(height, True)[1]", ".rungs(height, True)[0]")]


def inputs():
    return [tf.constant(8.0)]
