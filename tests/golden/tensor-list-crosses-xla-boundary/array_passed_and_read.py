"""The compiled function reads, gathers and measures the array that two graphs give it.

UNSAFE: all callers in sight pass an array, and every use of the parameter is followed; others may be out of sight.
"""

import tensorflow as tf


@tf.function(jit_compile=True)
def summary(scale, samples):
    n = samples.size()
    return scale * samples.read(n - 1), samples.gather([0, 1]), n


@tf.function
def squares(x):
    samples = tf.TensorArray(tf.float32, size=2, clear_after_read=False)
    samples = samples.write(0, x).write(1, x * x)
    return summary(2.0, samples)  # want: XLA104 TensorArray


@tf.function
def rows(x):
    return summary(samples=tf.TensorArray(tf.float32, size=3, clear_after_read=False).unstack(x), scale=1.0)  # want: XLA104 TensorArray


def both(x, table):
    return squares(x), rows(table)


ENTRY = "both"
BEFORE = "error"
ERROR = "variant"
SAFETY = "unsafe"  # no caller is hidden
WEAKEN = [("samples[n - 1]", "samples[n - 2]"), ("tf.gather(samples, [0, 1])", "tf.gather(samples, [1, 0])")]


def inputs():
    return [tf.constant([1.0, 3.0]), tf.constant([[1.0, 5.0], [2.0, 3.0], [0.0, 9.0]])]
