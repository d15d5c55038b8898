"""The derivative of a compiled simulation is taken in a tf.function that is not compiled.

SAFE: the outer function is a tf.function already, and all it calls has a kernel under XLA.
"""

import tensorflow as tf


@tf.function(jit_compile=True)
def swing(damping, pushes):
    angle = tf.constant(1.0)
    for t in tf.range(tf.shape(pushes)[0]):
        angle = angle - damping * tf.sin(angle) + pushes[t]
    return angle


@tf.function
def sensitivity(damping, pushes):
    with tf.GradientTape() as tape:
        tape.watch(damping)
        end = swing(damping, pushes)  # want: XLA104 swing
    return end, tape.gradient(end, damping)


ENTRY = "sensitivity"
BEFORE = "error"
ERROR = "TensorList crossing"
WEAKEN = [("@tf.function(jit_compile=True)\ndef sensitivity", "@tf.function\ndef sensitivity")]


def inputs():
    return [tf.constant(0.3), tf.constant([0.1, -0.2, 0.3])]


def more_inputs():
    return [[tf.constant(0.0), tf.constant([0.1])]]
