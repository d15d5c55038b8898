"""One of two results is a TensorArray, which the caller reads, gathers and measures.

UNSAFE: another caller may need the array.
"""

import tensorflow as tf


@tf.function(jit_compile=True)
def explore(start, slopes):
    visited = tf.TensorArray(tf.float32, size=tf.shape(slopes)[0], clear_after_read=False)
    here = start
    for i in tf.range(tf.shape(slopes)[0]):
        here = here - slopes[i] * here
        visited = visited.write(i, here)
    return here, visited  # want: XLA104 TensorArray


def corners(start, slopes):
    end, path = explore(start, slopes)
    length = path.size()
    return end, path.read(0), path.read(length - 1), path.gather([1, 0]), length


ENTRY = "corners"
BEFORE = "error"
ERROR = "TensorList crossing|variant"
SAFETY = "unsafe"  # no caller is hidden
REFERENCE = "eager"
WEAKEN = [("path[length - 1]", "path[length - 2]"), ("tf.gather(path, [1, 0])", "tf.gather(path, [0, 1])"), ("tf.shape(path)[0]", "tf.shape(path)[0] - 1")]


def inputs():
    return [tf.constant(4.0), tf.constant([0.5, 0.25, -1.0])]


def more_inputs():
    return [[tf.constant([4.0, 1.0]), tf.constant([0.5, 0.25])]]
