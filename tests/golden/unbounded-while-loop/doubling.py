"""A scan by doubling: the distance grows from 1 by two, so 64 is reached after six rounds."""

import tensorflow as tf

WIDTH = 64


@tf.function(jit_compile=True)
def prefix_products(x):
    with tf.GradientTape() as tape:
        tape.watch(x)

        def combine(distance, sums):
            shifted = tf.roll(sums, distance, axis=0)
            kept = tf.range(WIDTH) >= distance
            return distance * 2, tf.where(kept, sums * shifted, sums)

        _, sums = tf.while_loop(lambda distance, sums: distance < WIDTH, combine, (1, x))  # want: XLA102 while_loop
        last = sums[-1]
    return last, tape.gradient(last, x)


ENTRY = "prefix_products"
BEFORE = "error"
ERROR = "fixed tensor list size"
WEAKEN = [("maximum_iterations=6", "maximum_iterations=5")]


def inputs():
    return [tf.linspace(0.9, 1.1, 64)]


def more_inputs():
    return [[tf.ones([64])], [tf.linspace(1.05, 0.95, 64)]]
