"""The bound is a parameter of the compiled function; its own text is the size, whatever a caller passes."""

import tensorflow as tf


@tf.function(jit_compile=True)
def roll_out(x, steps=3):
    out = tf.TensorArray(tf.float32, size=tf.maximum(steps, 0), dynamic_size=False)  # want: XLA103 TensorArray
    for t in tf.range(steps):
        x = tf.sin(x)
        out = out.write(t, x)
    return out.stack()


ENTRY = "roll_out"
BEFORE = "wrong"
SAFETY = "safe"
WEAKEN = [("size=tf.maximum(steps, 0)", "size=steps - 1"), ("size=tf.maximum(steps, 0)", "size=3")]


def inputs():
    return [tf.constant([1.0, 2.0, 5.0])]


def more_inputs():
    return [[tf.constant(0.5), 5], [tf.constant(0.5), tf.constant(1)], [tf.constant(0.5), tf.constant(7)]]
