"""The loop has options; the bound becomes one more of them."""

import tensorflow as tf


@tf.function(jit_compile=True)
def diffuse(heat, rate):
    with tf.GradientTape() as tape:
        tape.watch(rate)
        step = tf.constant(0)
        while step < 5:  # want: XLA102 `while` loop
            tf.autograph.experimental.set_loop_options(parallel_iterations=1, maximum_iterations=5)
            heat = heat + rate * (tf.roll(heat, 1, 0) + tf.roll(heat, -1, 0) - 2.0 * heat)
            step += 1
        total = tf.reduce_sum(heat * heat)
    return heat, tape.gradient(total, rate)


ENTRY = "diffuse"
BEFORE = "error"
ERROR = "fixed tensor list size"
WEAKEN = [("maximum_iterations=5", "maximum_iterations=4")]


def inputs():
    return [tf.constant([0.0, 1.0, 0.0, 0.0]), tf.constant(0.1)]


def more_inputs():
    return [[tf.constant([2.0, 2.0]), tf.constant(0.2)], [tf.constant([1.0, 5.0, 2.0]), tf.constant(0.3)]]
