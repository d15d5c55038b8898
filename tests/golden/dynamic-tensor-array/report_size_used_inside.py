"""size() is read inside the loop: of a fixed array it is the capacity."""

import tensorflow as tf


@tf.function(jit_compile=True)
def ranked(x):
    out = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
    for i in tf.range(3):
        rank = tf.cast(out.size(), tf.float32)
        out = out.write(i, x[i] * rank)
    return out.stack()


ENTRY = "ranked"
BEFORE = "wrong"
REASON = "size\\(\\)"


def inputs():
    return [tf.constant([1.0, 2.0, 3.0])]
