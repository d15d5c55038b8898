"""A persistent tape is asked twice, after its block.

SAFE: the outer function is a tf.function already, and all it calls has a kernel under XLA.
"""

import tensorflow as tf


@tf.function(jit_compile=True)
def orbit(x, v):
    for _ in tf.range(3):
        v = v - 0.1 * x / (0.5 + tf.reduce_sum(x * x))
        x = x + 0.1 * v
    return x, v


@tf.function
def drift(x, v):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([x, v])
        position, speed = orbit(x, v)  # want: XLA104 orbit
        energy = tf.reduce_sum(speed * speed)
        radius = tf.reduce_sum(position * position)
    by_x = tape.gradient(energy, x)
    by_v = tape.gradient(radius, v)
    del tape
    return by_x, by_v


ENTRY = "drift"
BEFORE = "error"
ERROR = "TensorList crossing"
WEAKEN = [("@tf.function(jit_compile=True)\ndef drift", "@tf.function\ndef drift")]


def inputs():
    return [tf.constant([1.0, 0.2]), tf.constant([0.0, 0.9])]


def more_inputs():
    return [[tf.constant([0.0]), tf.constant([1.0])]]
