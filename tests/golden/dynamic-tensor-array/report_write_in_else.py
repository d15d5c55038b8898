"""What stands in the `else` of a loop runs once."""

import tensorflow as tf


@tf.function(jit_compile=True, autograph=False)
def last(x):
    out = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
    for i in range(3):
        x = x * 2.0
    else:
        out = out.write(out.size(), x)
    return out.stack()


ENTRY = "last"
BEFORE = "wrong"
REASON = "conditional"


def inputs():
    return [tf.constant([1.0, 2.0, 3.0])]
