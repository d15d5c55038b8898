"""Somebody has written jit_compile=False at the outer function.

UNSAFE: there may be a reason for that which cannot be seen here.
"""

import tensorflow as tf


@tf.function(jit_compile=True)
def relaxed(stiffness, loads):
    x = tf.zeros_like(loads)
    for _ in tf.range(4):
        x = x - 0.25 * (stiffness * x - loads)
    return x


@tf.function(jit_compile=True)
def stiffness_gradient(stiffness, loads, measured):
    with tf.GradientTape() as tape:
        tape.watch(stiffness)
        misfit = tf.reduce_sum(tf.square(relaxed(stiffness, loads) - measured))  # want: XLA104 relaxed
    return tape.gradient(misfit, stiffness)


ENTRY = "stiffness_gradient"
BEFORE = "error"
ERROR = "TensorList crossing"
SAFETY = "unsafe"  # nothing else speaks against XLA in the function that turns it off
WEAKEN = [("@tf.function(jit_compile=True)\ndef stiffness_gradient", "@tf.function(jit_compile=False)\ndef stiffness_gradient")]


def inputs():
    return [tf.constant([1.0, 2.0]), tf.constant([0.5, 1.0]), tf.constant([0.4, 0.6])]
