"""A single loop variable, which is also the condition: only the comment knows a bound."""

import tensorflow as tf


@tf.function(jit_compile=True)
def reduced(angle):
    with tf.GradientTape() as tape:
        tape.watch(angle)
        # xlafix: bound=20
        small = tf.while_loop(  # want: XLA102 while_loop
            lambda angle: tf.reduce_max(angle) > 1.0, lambda angle: (tf.sin(angle) * 0.9 + 0.05,), (angle,)
        )
        value = tf.reduce_sum(small[0])
    return value, tape.gradient(value, angle)


ENTRY = "reduced"
BEFORE = "error"
ERROR = "fixed tensor list size"
SAFETY = "unsafe"  # what the comment says
WEAKEN = [("maximum_iterations=20", "maximum_iterations=0")]


def inputs():
    return [tf.constant([1.5, 2.0])]


def more_inputs():
    return [[tf.constant([0.5])], [tf.constant([[2.5]])]]
