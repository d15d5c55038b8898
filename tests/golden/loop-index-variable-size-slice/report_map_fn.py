"""tf.map_fn over a range slices a prefix; there is no loop statement to rewrite."""

import tensorflow as tf


@tf.function(jit_compile=True)
def ramps(x):
    # want: XLA105 slice
    return tf.map_fn(lambda n: tf.reduce_sum(tf.cumsum(x[:n])), tf.range(1, 4), fn_output_signature=tf.float32)


ENTRY = "ramps"
BEFORE = "wrong"
REASON = "map_fn"


def inputs():
    return [tf.constant([1.0, 2.0, 3.0, 4.0])]
