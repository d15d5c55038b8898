"""One counter through two loops: the trip counts multiply."""

import tensorflow as tf

ROWS, COLUMNS = 2, 3


@tf.function(jit_compile=True)
def flat(x):
    cells = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
    cell = 0
    for i in tf.range(ROWS):
        for j in tf.range(COLUMNS):
            cells = cells.write(cell, x[j, i])
            cell += 1
    return cells.stack()


ENTRY = "flat"
BEFORE = "wrong"
SAFETY = "safe"
WEAKEN = [("ROWS * COLUMNS", "ROWS * COLUMNS - 1"), ("ROWS * COLUMNS", "COLUMNS")]


def inputs():
    return [tf.reshape(tf.range(6, dtype=tf.float32), [3, 2])]


def more_inputs():
    return [[tf.ones([3, 2])]]
