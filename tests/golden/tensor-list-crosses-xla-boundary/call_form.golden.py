"""The outer tf.function is made by a call, not by a decorator.

SAFE: the call is what makes it a tf.function, and all that it calls has a kernel under XLA.
"""

import tensorflow as tf


@tf.function(jit_compile=True)
def filtered(alpha, samples):
    level = samples[0]
    for t in tf.range(1, tf.shape(samples)[0]):
        level = alpha * samples[t] + (1.0 - alpha) * level
    return level


def step_impl(alpha, samples, target):
    with tf.GradientTape() as tape:
        tape.watch(alpha)
        loss = tf.square(filtered(alpha, samples) - target)  # want: XLA104 filtered
    return alpha - 0.05 * tape.gradient(loss, alpha)


step = tf.function(step_impl, jit_compile=True)


def train(alpha, samples, target):
    for _ in range(3):
        alpha = step(alpha, samples, target)
    return alpha


ENTRY = "train"
BEFORE = "error"
ERROR = "TensorList crossing"
WEAKEN = [("tf.function(step_impl, jit_compile=True)", "tf.function(step_impl)")]


def inputs():
    return [tf.constant(0.5), tf.constant([1.0, 2.0, 1.5, 0.5]), tf.constant(1.0)]


def more_inputs():
    return [[tf.constant(0.2), tf.constant([3.0, 2.5]), tf.constant(1.0)]]
