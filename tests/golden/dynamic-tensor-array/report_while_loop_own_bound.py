"""The loop has a bound of its own besides its condition."""

import tensorflow as tf


@tf.function(jit_compile=True)
def at_most_two(x):
    n = tf.shape(x)[0]
    out = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
    _, out = tf.while_loop(
        lambda i, out: i < n, lambda i, out: (i + 1, out.write(i, x[i] * 2.0)), (0, out), maximum_iterations=2
    )
    return out.stack()


ENTRY = "at_most_two"
BEFORE = "wrong"
REASON = "maximum_iterations"


def inputs():
    return [tf.constant([1.0, 2.0, 3.0])]
