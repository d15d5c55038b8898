"""The temperature at which heating and losses balance."""

import tensorflow as tf

from .config import MAX_ROUNDS, TOLERANCE


def equilibrium(heating, loss):
    """heating, loss [rooms] -> the temperatures [rooms] that no longer change, by repeated relaxation."""
    temperature = tf.zeros_like(heating)
    change = tf.constant(1.0)
    rounds = 0
    while change > TOLERANCE and rounds < MAX_ROUNDS:
        flow = heating - loss * temperature * tf.exp(0.1 * temperature)
        temperature += 0.3 * flow
        change = tf.reduce_max(tf.abs(flow))
        rounds += 1
    return temperature
