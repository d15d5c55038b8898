"""The array comes from TensorFlow's internal module, under a gradient: the compiler aborts."""

import tensorflow as tf
from tensorflow.python.framework import dtypes
from tensorflow.python.ops import tensor_array_ops


@tf.function(jit_compile=True)
def gradient(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        rows = tensor_array_ops.TensorArray(dtypes.float32, size=3, dynamic_size=False)  # want: XLA103 TensorArray
        for i in tf.range(3):
            rows = rows.write(i, tf.sin(x * tf.cast(i, tf.float32)))
        loss = tf.reduce_sum(rows.stack()[1:])
    return loss, tape.gradient(loss, x)


ENTRY = "gradient"
BEFORE = "abort"
SAFETY = "safe"
WEAKEN = [("size=3", "size=2"), ("dynamic_size=False", "dynamic_size=True")]


def inputs():
    return [tf.constant([0.3, 1.5])]


def more_inputs():
    return [[tf.constant(0.0)]]
