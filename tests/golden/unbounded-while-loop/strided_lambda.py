"""Every third position, up to a length that three does not divide."""

import tensorflow as tf


@tf.function(jit_compile=True)
def thinned_power(x, weight):
    n = x.shape[0]
    with tf.GradientTape() as tape:
        tape.watch(weight)
        _, power = tf.while_loop(  # want: XLA102 while_loop
            lambda at, power: at < n, lambda at, power: (at + 3, power * 0.5 + tf.square(weight * x[at])), (0, 0.0)
        )
    return power, tape.gradient(power, weight)


ENTRY = "thinned_power"
BEFORE = "error"
ERROR = "fixed tensor list size"
WEAKEN = [("(n + 2) // 3", "n // 3")]


def inputs():
    return [tf.constant([1.0, 2.0, 3.0, 4.0, 5.0]), tf.constant(0.5)]


def more_inputs():
    return [
        [tf.constant([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]), tf.constant(2.0)],
        [tf.constant([7.0]), tf.constant(0.5)],
    ]
