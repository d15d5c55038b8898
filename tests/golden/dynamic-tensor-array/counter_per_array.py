"""Two annotated arrays: each counter has the name of its array."""

import tensorflow as tf


@tf.function(jit_compile=True)
def both(x):
    values: tf.TensorArray = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
    marks: tf.TensorArray = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
    for _ in tf.range(tf.shape(x)[0]):
        values = values.write(values.size(), tf.reduce_sum(x))
        marks = marks.write(marks.size(), 1.0)
    return values.stack(), marks.stack()


ENTRY = "both"
BEFORE = "wrong"
WEAKEN = [("values_len += 1", "values_len += 2"), ("marks_len += 1", "marks_len += 0")]


def inputs():
    return [tf.constant([1.0, 2.0, 3.0])]


def more_inputs():
    return [[tf.constant([4.0])]]
