"""tf.scan makes the loop that saves; the gradient goes to a variable of the module.

SAFE: the outer function is a tf.function already, and all it calls has a kernel under XLA.
"""

import tensorflow as tf

decay = tf.Variable(0.7)


@tf.function(jit_compile=True)
def trajectory(kicks):
    return tf.scan(lambda speed, kick: decay * speed + kick, kicks)


@tf.function(jit_compile=True)
def decay_gradient(kicks):
    with tf.GradientTape() as tape:
        distance = tf.reduce_sum(trajectory(kicks))  # want: XLA104 trajectory
    return distance, tape.gradient(distance, decay)


ENTRY = "decay_gradient"
BEFORE = "error"
ERROR = "TensorList crossing"
WEAKEN = [("@tf.function(jit_compile=True)\ndef decay_gradient", "@tf.function\ndef decay_gradient")]


def inputs():
    return [tf.constant([1.0, 0.0, 0.5])]


def more_inputs():
    return [[tf.constant([2.0])]]
