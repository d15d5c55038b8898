"""Nobody takes a derivative, and the tape of another function is about something else."""

import tensorflow as tf


@tf.function(jit_compile=True)
def decayed(rate, steps):
    x = tf.constant(1.0)
    for _ in tf.range(steps):
        x = x * rate
    return x


@tf.function
def evaluate(rate):
    return decayed(rate, 3), decayed(rate, 5)


@tf.function
def curvature(rate):
    with tf.GradientTape() as tape:
        tape.watch(rate)
        y = tf.sin(rate)
    return tape.gradient(y, rate) + decayed(rate, 2)


def both(rate):
    return evaluate(rate), curvature(rate)


ENTRY = "both"


def inputs():
    return [tf.constant(0.5)]
