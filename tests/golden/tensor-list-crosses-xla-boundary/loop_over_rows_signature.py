"""The loop goes over the rows of a parameter; only the input signature of the caller says that it is a tensor.

UNSAFE: a list would be unrolled, and nothing would cross the border.
"""

import tensorflow as tf


@tf.function(jit_compile=True)
def last_state(gain, signal):
    state = tf.zeros([2])
    for sample in signal:
        state = tf.tanh(gain * state + sample)
    return state


@tf.function(input_signature=[tf.TensorSpec([], tf.float32), tf.TensorSpec([None, 2], tf.float32)])
def gain_step(gain, signal):
    with tf.GradientTape() as tape:
        tape.watch(gain)
        energy = tf.reduce_sum(tf.square(last_state(gain, signal)))  # want: XLA104 compiled
    return gain - 0.1 * tape.gradient(energy, gain)


ENTRY = "gain_step"
BEFORE = "error"
SAFETY = "unsafe"  # the argument is a tensor
ERROR = "TensorList crossing"
WEAKEN = [(", jit_compile=True)\ndef gain_step", ")\ndef gain_step")]


def inputs():
    return [tf.constant(0.8), tf.constant([[0.1, -0.4], [1.0, 0.2], [0.0, 0.3]])]


def more_inputs():
    return [[tf.constant(-0.5), tf.constant([[0.7, 0.1]])]]
