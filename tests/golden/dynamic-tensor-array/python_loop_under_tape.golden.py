"""A Python loop over a list; only under a gradient is the growing array an error, else it is empty."""

import tensorflow as tf


@tf.function(jit_compile=True)
def slopes(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        parts = tf.unstack(x)
        out = tf.TensorArray(tf.float32, size=len(parts), dynamic_size=False)  # want: XLA103 TensorArray
        for n, part in enumerate(parts):
            out = out.write(n, part**2)
        loss = tf.reduce_sum(out.stack() * tf.constant([1.0, 2.0, 3.0]))
    return loss, tape.gradient(loss, x)


ENTRY = "slopes"
BEFORE = "error"
ERROR = "TensorListResize"
SAFETY = "safe"
WEAKEN = [("size=len(parts)", "size=len(parts) - 1"), ("dynamic_size=False", "dynamic_size=True")]


def inputs():
    return [tf.constant([1.0, 2.0, -3.0])]


def more_inputs():
    return [[tf.zeros([3])]]
