"""A tf.while_loop that fills the array at its counter; no derivative is taken."""

import tensorflow as tf

STEPS = 4


def advance(t, state, trace):
    state = 0.5 * state + 1.0
    return t + 1, state, trace.write(t, state)


@tf.function(jit_compile=True)
def simulate(x):
    trace = tf.TensorArray(tf.float32, size=STEPS, dynamic_size=False)  # want: XLA103 TensorArray
    _, last, trace = tf.while_loop(lambda t, *_: t < STEPS, advance, (0, x, trace))
    return last, trace.stack()


ENTRY = "simulate"
BEFORE = "wrong"
SAFETY = "safe"
WEAKEN = [("size=STEPS", "size=STEPS - 1")]


def inputs():
    return [tf.constant([1.0, -2.0])]


def more_inputs():
    return [[tf.constant(2.0)]]
