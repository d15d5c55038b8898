"""`flatten_up_to` of TensorFlow's internals gives a list; what its helpers give is not taken for a tensor."""

import tensorflow as tf
from tensorflow.python.util import nest


@tf.function(jit_compile=True)
def total(x):
    parts = nest.flatten_up_to((1, 2), (x, 2.0 * x))
    seen = [None, None]
    for i, part in enumerate(parts):
        seen[i] = part * tf.cast(i + 1, tf.float32)
    return seen[0] + seen[1]


ENTRY = "total"


def inputs():
    return [tf.constant([1.0, -2.0])]
