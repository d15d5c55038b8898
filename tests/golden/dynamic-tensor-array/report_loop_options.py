"""A bound that AutoGraph gets inside the loop."""

import tensorflow as tf


@tf.function(jit_compile=True)
def at_most_two(x):
    n = tf.shape(x)[0]
    out = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
    i = tf.constant(0)
    while i < n:
        tf.autograph.experimental.set_loop_options(maximum_iterations=2)
        out = out.write(i, x[i] * 2.0)
        i += 1
    return out.stack()


ENTRY = "at_most_two"
BEFORE = "wrong"
REASON = "options of its own"


def inputs():
    return [tf.constant([1.0, 2.0, 3.0])]
