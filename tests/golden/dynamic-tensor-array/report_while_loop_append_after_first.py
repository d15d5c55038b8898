"""One element stands there already when the loop appends: its counter is not the index."""

import tensorflow as tf


@tf.function(jit_compile=True)
def with_start(x):
    n = tf.shape(x)[0]
    out = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
    out = out.write(0, -1.0)
    _, out = tf.while_loop(lambda i, out: i < n, lambda i, out: (i + 1, out.write(out.size(), x[i])), (0, out))
    return out.stack()


ENTRY = "with_start"
BEFORE = "wrong"
REASON = "before the loop and appended"


def inputs():
    return [tf.constant([1.0, 2.0, 3.0])]
