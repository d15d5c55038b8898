"""Two annotated arrays: each counter has the name of its array."""

import tensorflow as tf


@tf.function(jit_compile=True)
def both(x):
    values: tf.TensorArray = tf.TensorArray(tf.float32, size=tf.shape(x)[0], dynamic_size=False)  # want: XLA103 TensorArray
    values_len = 0
    marks: tf.TensorArray = tf.TensorArray(tf.float32, size=tf.shape(x)[0], dynamic_size=False)  # want: XLA103 TensorArray
    marks_len = 0
    for _ in tf.range(tf.shape(x)[0]):
        values = values.write(values_len, tf.reduce_sum(x))
        values_len += 1
        marks = marks.write(marks_len, 1.0)
        marks_len += 1
    return values.stack(), marks.stack()


ENTRY = "both"
BEFORE = "wrong"
WEAKEN = [("values_len += 1", "values_len += 2"), ("marks_len += 1", "marks_len += 0")]


def inputs():
    return [tf.constant([1.0, 2.0, 3.0])]


def more_inputs():
    return [[tf.constant([4.0])]]
