"""The compiled function returns its TensorArray, and the caller stacks it.

UNSAFE: another caller may need the array. (A graph cannot return an array at all; only the eager run shows what is meant.)
"""

import tensorflow as tf


@tf.function(jit_compile=True)
def running_maximum(xs):
    best = tf.TensorArray(tf.float32, size=tf.shape(xs)[0])
    top = xs[0]
    for i in tf.range(tf.shape(xs)[0]):
        top = tf.maximum(top, xs[i])
        best = best.write(i, top)
    return best.stack()  # want: XLA104 TensorArray


def report(xs):
    return running_maximum(xs) - xs


ENTRY = "report"
BEFORE = "error"
ERROR = "TensorList crossing|variant"
SAFETY = "unsafe"  # no caller is hidden
REFERENCE = "eager"
WEAKEN = [("return best.stack()", "return best")]


def inputs():
    return [tf.constant([1.0, 3.0, 2.0])]


def more_inputs():
    return [[tf.constant([1.0])]]
