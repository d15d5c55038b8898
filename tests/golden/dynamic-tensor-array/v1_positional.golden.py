"""TensorFlow 1 spelling with positional arguments."""

import tensorflow.compat.v1 as tf

STEPS = 4


@tf.function(jit_compile=True)
def decay(x):
    out = tf.TensorArray(tf.float32, STEPS, False)  # want: XLA103 TensorArray
    for t in tf.range(STEPS):
        x = x * 0.5
        out = out.write(t, x)
    return out.stack()


ENTRY = "decay"
BEFORE = "wrong"
SAFETY = "safe"
WEAKEN = [("tf.float32, STEPS, False", "tf.float32, STEPS - 1, False"), ("STEPS, False", "0, True")]


def inputs():
    return [tf.constant([1.0, -2.0])]


def more_inputs():
    return [[tf.constant(3.0)]]
