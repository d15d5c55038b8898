"""Fixed size, in the default spelling and with the flag; conditional writes with a known shape."""

import tensorflow as tf


@tf.function(jit_compile=True)
def kept(x):
    plain = tf.TensorArray(tf.float32, 3)
    flagged = tf.TensorArray(tf.float32, size=3, dynamic_size=False, element_shape=[])
    for i in tf.range(3):
        plain = plain.write(i, x[i])
        if x[i] > 0.0:
            flagged = flagged.write(i, x[i])
    return plain.stack(), flagged.stack()


ENTRY = "kept"


def inputs():
    return [tf.constant([1.0, -2.0, 3.0])]
