"""The counter of an AutoGraph while loop starts as a tensor and is a reduction axis; a Python
counter is enough.
"""

import tensorflow as tf


@tf.function(jit_compile=True)
def product_of_means(x):
    result = tf.constant(1.0)
    axis = 0
    while axis < 2:  # want: XLA101 axis
        result *= 1.0 + tf.reduce_max(tf.reduce_mean(x, axis=axis))
        axis += 1
    return result


ENTRY = "product_of_means"
BEFORE = "error"
ERROR = "must be a compile-time constant"
SAFETY = "safe"  # start, limit and step of the counter are literals
WEAKEN = [("axis = 0", "axis = tf.constant(0)"), ("axis < 2", "axis < 1")]


def inputs():
    return [tf.constant([[0.1, 0.7], [0.3, -0.5]])]


def more_inputs():
    return [[tf.constant([[2.0]])]]
