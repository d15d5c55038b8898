"""All derivatives of a vector at once, without vectorization of the way back.

SAFE: the outer function is a tf.function already, and all it calls has a kernel under XLA.
"""

import tensorflow as tf


@tf.function(jit_compile=True)
def pose(angles, lengths):
    x, y, heading = tf.constant(0.0), tf.constant(0.0), tf.constant(0.0)
    for joint in tf.range(tf.shape(lengths)[0]):
        heading = heading + angles[joint]
        x = x + lengths[joint] * tf.cos(heading)
        y = y + lengths[joint] * tf.sin(heading)
    return tf.stack([x, y])


@tf.function(jit_compile=True)
def arm_jacobian(angles, lengths):
    with tf.GradientTape() as tape:
        tape.watch(angles)
        tip = pose(angles, lengths)  # want: XLA104 pose
    return tape.jacobian(tip, angles, experimental_use_pfor=False)


ENTRY = "arm_jacobian"
BEFORE = "error"
ERROR = "TensorList crossing"
MODES = ["graph"]  # without pfor, an eager jacobian needs a persistent tape
WEAKEN = [("@tf.function(jit_compile=True)\ndef arm_jacobian", "@tf.function\ndef arm_jacobian")]


def inputs():
    return [tf.constant([0.3, -0.5, 1.0]), tf.constant([1.0, 0.8, 0.5])]


def more_inputs():
    return [[tf.constant([0.3]), tf.constant([1.0])]]
