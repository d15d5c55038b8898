"""Two arrays that are read with concat() and gather() instead of stack()."""

import tensorflow as tf


@tf.function(jit_compile=True)
def collect(x):
    rows = tf.TensorArray(tf.float32, size=3, dynamic_size=False)  # want: XLA103 TensorArray
    for i in tf.range(3):
        rows = rows.write(i, x * tf.cast(i + 1, tf.float32))
    cells = tf.TensorArray(tf.float32, size=2, dynamic_size=False)  # want: XLA103 TensorArray
    for i in tf.range(2):
        cells = cells.write(i, x[i])
    return rows.concat(), cells.gather([1, 0])


ENTRY = "collect"
BEFORE = "wrong"
SAFETY = "safe"
WEAKEN = [("size=3", "size=2"), ("size=2", "size=1")]


def inputs():
    return [tf.constant([1.0, 2.0])]


def more_inputs():
    return [[tf.constant([0.0, -1.0])]]
