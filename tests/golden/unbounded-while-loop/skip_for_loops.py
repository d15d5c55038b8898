"""AutoGraph, tf.scan and tf.map_fn bound their loops by themselves where XLA traces them."""

import tensorflow as tf


@tf.function
def smooth(x):
    for _ in tf.range(3):
        x = 0.5 * tf.sin(x) + 0.5 * tf.roll(x, 1, 0)
    return x


@tf.function(jit_compile=True)
def slope(x, n):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = smooth(x)
        for i in tf.range(n):
            if i > 3:
                break
            y = y * tf.cos(y)
        total = tf.constant(0.0)
        for row in y:
            total = total * 0.5 + tf.sin(row)
        total += tf.reduce_sum(tf.scan(lambda a, b: a * b + b, y)) + tf.reduce_sum(tf.map_fn(tf.exp, y))
    return tape.gradient(total, x)


ENTRY = "slope"


def inputs():
    return [tf.constant([0.5, 1.5]), tf.constant(5)]
