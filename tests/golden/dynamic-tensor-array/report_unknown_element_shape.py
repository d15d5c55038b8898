"""A write under a condition needs the shape of the elements, which no line shows."""

import tensorflow as tf


@tf.function(jit_compile=True)
def kept_rows(rows, transform):
    kept = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
    count = 0
    for i in tf.range(3):
        row = transform(rows[i])
        if tf.reduce_sum(row) > 0.0:
            kept = kept.write(count, row)
            count += 1
    return kept.stack()


def run(rows):
    return kept_rows(rows, lambda row: row[:1])


ENTRY = "run"
BEFORE = "error"
ERROR = "Output shapes of then and else branches do not match"
REASON = "shape"


def inputs():
    return [tf.constant([[1.0, 2.0], [-3.0, 0.5], [2.0, 2.0]])]
