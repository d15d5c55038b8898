"""The index of tf.map_fn over a range is an axis; there is no loop statement to rewrite."""

import tensorflow as tf


@tf.function(jit_compile=True)
def peaks(x):
    # want: XLA101 axis
    return tf.map_fn(lambda axis: tf.reduce_max(tf.reduce_sum(x, axis=axis)), tf.range(2), fn_output_signature=tf.float32)


ENTRY = "peaks"
BEFORE = "error"
ERROR = "must be a compile-time constant"
REASON = "map_fn"


def inputs():
    return [tf.constant([[1.0, 2.0], [-3.0, 0.5]])]
