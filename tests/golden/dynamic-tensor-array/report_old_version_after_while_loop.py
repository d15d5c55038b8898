"""What the loop returns has another name, and the array that went in is read as well."""

import tensorflow as tf


@tf.function(jit_compile=True)
def before_and_after(x):
    n = tf.shape(x)[0]
    empty = tf.TensorArray(tf.float32, size=0, dynamic_size=True, element_shape=[])  # want: XLA103 TensorArray
    _, full = tf.while_loop(lambda i, out: i < n, lambda i, out: (i + 1, out.write(i, x[i])), (0, empty))
    return empty.stack(), full.stack()


ENTRY = "before_and_after"
BEFORE = "wrong"
REASON = "empty.*used again"


def inputs():
    return [tf.constant([1.0, 2.0, 3.0])]
