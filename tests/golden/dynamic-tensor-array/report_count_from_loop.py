"""The limit is counted in a loop of its own: no constant for XLA."""

import tensorflow as tf


@tf.function(jit_compile=True)
def large(x):
    count = 0
    for i in tf.range(tf.shape(x)[0]):
        if x[i] > 1.5:
            count += 1
    out = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
    j = 0
    while j < count:
        out = out.write(j, x[j] * 2.0)
        j += 1
    return tf.reduce_sum(out.stack())


ENTRY = "large"
BEFORE = "wrong"
REASON = "computed in a loop"


def inputs():
    return [tf.constant([1.0, 2.0, 3.0])]
