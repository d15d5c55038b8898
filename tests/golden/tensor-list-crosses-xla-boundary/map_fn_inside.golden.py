"""No loop of its own: tf.map_fn makes the loop that saves.

SAFE: the outer function is a tf.function already, and all it calls has a kernel under XLA.
"""

import tensorflow as tf


@tf.function(jit_compile=True)
def energies(stiffness, chains):
    return tf.map_fn(lambda chain: tf.reduce_sum(stiffness * tf.square(chain)), chains)


@tf.function(jit_compile=True)
def forces(stiffness, chains):
    with tf.GradientTape() as tape:
        tape.watch(chains)
        total = tf.reduce_sum(energies(stiffness, chains))  # want: XLA104 energies
    return -tape.gradient(total, chains)


ENTRY = "forces"
BEFORE = "error"
ERROR = "TensorList crossing"
WEAKEN = [("@tf.function(jit_compile=True)\ndef forces", "@tf.function\ndef forces")]


def inputs():
    return [tf.constant(2.0), tf.constant([[0.1, 0.5, -0.2], [1.0, 0.0, 0.3]])]


def more_inputs():
    return [[tf.constant(2.0), tf.constant([[1.0, 2.0]])]]
