"""A public function returns the array itself: who else writes into it is unknown."""

import tensorflow as tf


def collect(x):
    out = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
    for i in tf.range(3):
        out = out.write(i, x[i] * 2.0)
    return out


@tf.function(jit_compile=True)
def extended(x):
    out = collect(x)
    return out.write(3, tf.reduce_sum(x)).stack()


ENTRY = "extended"
BEFORE = "wrong"
REASON = "return|leave|caller|escape"


def inputs():
    return [tf.constant([1.0, 2.0, 3.0])]
