"""The inner function is compiled by a decorator under a name of its own; the outer one by the plain one of the project.

SAFE: the outer decorator is tf.function itself, which the fix spells out at this one function.
"""

import functools

import tensorflow as tf

fast = functools.partial(tf.function, jit_compile=True, reduce_retracing=True)


@fast
def probability(transition, path):
    state = tf.constant([0.5, 0.5])
    for step in tf.range(tf.shape(path)[0]):
        state = tf.linalg.matvec(transition, state) * path[step]
    return tf.reduce_sum(state)


@tf.function
def score(transition, path):
    with tf.GradientTape() as tape:
        tape.watch(transition)
        logp = tf.math.log(probability(transition, path))  # want: XLA104 probability
    return tape.gradient(logp, transition)


ENTRY = "score"
BEFORE = "error"
ERROR = "TensorList crossing"
WEAKEN = [("@tf.function(jit_compile=True)\ndef score", "@tf.function\ndef score")]


def inputs():
    return [tf.constant([[0.9, 0.2], [0.1, 0.8]]), tf.constant([[1.0, 0.5], [0.3, 0.6], [0.2, 0.9]])]


def more_inputs():
    return [[tf.constant([[0.9, 0.2], [0.1, 0.8]]), tf.constant([[1.0, 0.5]])]]
