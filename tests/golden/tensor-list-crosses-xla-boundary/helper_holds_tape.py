"""The tape stands in a plain helper; the tf.function that calls it is what has to be compiled.

SAFE: the one caller of the helper is a tf.function, and all that it calls has a kernel under XLA.
"""

import tensorflow as tf


@tf.function(jit_compile=True)
def temperature(conductivity, heating):
    rod = tf.zeros([4])
    for t in tf.range(tf.shape(heating)[0]):
        rod = rod + conductivity * (tf.roll(rod, 1, axis=0) - rod) + heating[t]
    return rod


def value_and_slope(conductivity, heating):
    with tf.GradientTape() as tape:
        tape.watch(conductivity)
        mean = tf.reduce_mean(tf.square(temperature(conductivity, heating)))  # want: XLA104 temperature
    return mean, tape.gradient(mean, conductivity)


@tf.function
def newton_like(conductivity, heating):
    mean, slope = value_and_slope(conductivity, heating)
    return conductivity - 0.01 * mean / (slope + 1.0)


ENTRY = "newton_like"
BEFORE = "error"
ERROR = "TensorList crossing"
WEAKEN = [("@tf.function(jit_compile=True)\ndef newton_like", "@tf.function\ndef newton_like")]


def inputs():
    return [tf.constant([0.1, 0.2, 0.3, 0.1]), tf.constant([1.0, 0.0, 0.5])]


def more_inputs():
    return [[tf.constant([0.1, 0.2, 0.3, 0.1]), tf.constant([-0.5])]]
