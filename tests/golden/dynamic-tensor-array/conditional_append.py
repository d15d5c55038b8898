"""A TensorArray that keeps only some elements: fixed size, element_shape, and a slice by the
count.
"""

import tensorflow as tf


@tf.function(jit_compile=True)
def positives(x):
    kept = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
    count = 0
    for i in tf.range(x.shape[0]):
        if x[i] > 0.0:
            kept = kept.write(count, x[i])
            count += 1
    return kept.stack()


ENTRY = "positives"
BEFORE = "error"
ERROR = "Output shapes of then and else branches"
SAFETY = "unsafe"  # the result has a length that depends on data, and x must be a vector: callers are unknown
WEAKEN = [("size=x.shape[0]", "size=x.shape[0] - 1"), ("[:count]", "[:]"), (", element_shape=x.shape[1:]", "")]


def inputs():
    return [tf.constant([1.0, -2.0, 3.0, -4.0, 5.0])]


def more_inputs():
    return [[tf.constant([2.0, 4.0, 1.0])], [tf.constant([-1.0, -2.0, 7.0])]]
