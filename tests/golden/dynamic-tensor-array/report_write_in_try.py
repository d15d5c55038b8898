"""An error ends the loop, and the function goes on."""

import tensorflow as tf


@tf.function(jit_compile=True, autograph=False)
def scaled(x, scales=(1.0, 2.0, None, 4.0)):
    try:
        out = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
        for i in range(4):
            out = out.write(i, x * scales[i])
    except (TypeError, ValueError):
        pass
    return out.stack()


ENTRY = "scaled"
BEFORE = "wrong"
REASON = "stands in a `try`"


def inputs():
    return [tf.constant([1.0, 2.0, 3.0])]
