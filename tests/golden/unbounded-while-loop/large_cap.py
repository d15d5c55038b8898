"""The cap is 50000 rounds, which a tolerance never lets it reach: there is memory for all of them."""

import tensorflow as tf


@tf.function(jit_compile=True)
def root(a):
    with tf.GradientTape() as tape:
        tape.watch(a)
        step = tf.constant(0)
        x = a
        while step < 50000 and tf.abs(x * x - a) > 1e-4:  # want: XLA102 `while` loop
            x = 0.5 * (x + a / x)
            step += 1
    return x, tape.gradient(x, a)


ENTRY = "root"
BEFORE = "error"
ERROR = "fixed tensor list size"
SAFETY = "unsafe"  # memory for 50,000 iterations
WEAKEN = [("maximum_iterations=50000", "maximum_iterations=3")]


def inputs():
    return [tf.constant(9.0)]


def more_inputs():
    return [[tf.constant(1.0)], [tf.constant(300.0)]]
