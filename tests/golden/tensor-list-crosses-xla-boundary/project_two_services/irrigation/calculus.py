"""Derivatives, in one place."""
import tensorflow as tf


def value_and_gradient(function, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        value = function(x)  # want: XLA104 moisture
    return value, tape.gradient(value, x)
