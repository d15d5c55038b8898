"""All arguments as keywords, over several lines, with comments between them."""

import tensorflow as tf


@tf.function(jit_compile=True)
def partial_sums(x):
    # want: XLA103 TensorArray
    sums = tf.TensorArray(
        dynamic_size=True,  # grows with every step
        dtype=tf.float32,
        size=0,
        clear_after_read=False,
        name="sums",  # capital sigma
    )
    total = tf.constant(0.0)
    for i in tf.range(5):
        total += x * tf.cast(i, tf.float32)
        sums = sums.write(i, total)
    return sums.stack()


ENTRY = "partial_sums"
BEFORE = "wrong"
SAFETY = "safe"
WEAKEN = [("size=5", "size=4")]


def inputs():
    return [tf.constant(1.5)]


def more_inputs():
    return [[tf.constant(0.0)]]
