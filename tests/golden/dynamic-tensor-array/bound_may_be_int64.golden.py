"""What is appended does not show that the limit is an int32: that is an assumption."""

import tensorflow as tf


@tf.function(jit_compile=True)
def first(x, count):
    out = tf.TensorArray(tf.float32, size=tf.maximum(count, 0), dynamic_size=False)  # want: XLA103 TensorArray
    for t in tf.range(count):
        out = out.write(t, x[t])
    return out.stack()


ENTRY = "first"
BEFORE = "wrong"
SAFETY = "unsafe"  # a caller may pass an int64 or a float
WEAKEN = [("size=tf.maximum(count, 0)", "size=count - 1"), ("write(t,", "write(0,")]


def inputs():
    return [tf.constant([1.0, 2.0, 3.0]), tf.constant(2)]


def more_inputs():
    return [[tf.constant([1.0, 2.0, 3.0]), 3], [tf.constant([4.0]), tf.constant(1)]]
