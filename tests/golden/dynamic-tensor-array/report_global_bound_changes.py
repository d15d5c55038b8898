"""A call between the array and the loop may change the bound."""

import tensorflow as tf

STEPS = 2


def configure(n):
    global STEPS
    STEPS = n


@tf.function(jit_compile=True)
def first(x):
    out = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
    configure(3)
    for t in tf.range(STEPS):
        out = out.write(t, x[t])
    return out.stack()


ENTRY = "first"
BEFORE = "wrong"
REASON = "STEPS.*changed by `configure`"


def inputs():
    return [tf.constant([1.0, 2.0, 3.0])]
