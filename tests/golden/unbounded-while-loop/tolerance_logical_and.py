"""tf.logical_and, tf.less and kin; the limit is a parameter with a default."""

import tensorflow as tf


def fixed_point(x, rounds=25):
    return tf.while_loop(  # want: XLA102 while_loop
        lambda k, y, change: tf.logical_and(tf.less(k, rounds), tf.greater(change, 1e-4)),
        lambda k, y, change: (k + 1, tf.cos(x * y), tf.reduce_max(tf.abs(tf.cos(x * y) - y))),
        (tf.constant(0), tf.ones_like(x), tf.constant(1.0)),
    )[1]


@tf.function(jit_compile=True)
def sensitivity(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = fixed_point(x)
    return y, tape.gradient(y, x)


ENTRY = "sensitivity"
BEFORE = "error"
ERROR = "fixed tensor list size"
WEAKEN = [("maximum_iterations=rounds", "maximum_iterations=rounds - 1")]


def inputs():
    return [tf.constant([0.5, 1.0])]


def more_inputs():
    return [[tf.constant([0.0])], [tf.constant([2.0, 3.0])]]
