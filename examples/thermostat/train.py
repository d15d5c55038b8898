"""Learns the inertia of the sensor."""

import tensorflow as tf

from .sensor import lagged

inertia = tf.Variable(0.5)


@tf.function
def fit_step(readings, target):
    """One step of gradient descent; returns the loss before it, and the gradient."""
    with tf.GradientTape() as tape:
        loss = tf.square(lagged(readings, inertia) - target)
    gradient = tape.gradient(loss, inertia)
    inertia.assign_sub(0.1 * gradient)
    return loss, gradient
