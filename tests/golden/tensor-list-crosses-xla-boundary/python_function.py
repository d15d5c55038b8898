"""A plain Python function takes the derivative.

UNSAFE: compiled, its Python runs only when it is traced, its arguments become tensors and so do its results.
"""

import tensorflow as tf


@tf.function(jit_compile=True)
def population(growth, harvest):
    fish = tf.constant(10.0)
    for year in tf.range(tf.shape(harvest)[0]):
        fish = fish + growth * fish * (1.0 - fish / 100.0) - harvest[year]
    return fish


def growth_gradient(growth, harvest):
    with tf.GradientTape() as tape:
        tape.watch(growth)
        fish = population(growth, harvest)  # want: XLA104 population
    return tape.gradient(fish, growth)


ENTRY = "growth_gradient"
BEFORE = "error"
ERROR = "TensorList crossing"
SAFETY = "unsafe"  # every caller passes tensors, and nobody needs an eager result
WEAKEN = [("@tf.function(jit_compile=True)\ndef growth_gradient", "def growth_gradient")]


def inputs():
    return [tf.constant(0.4), tf.constant([1.0, 2.0, 0.5, 1.5])]


def more_inputs():
    return [[tf.constant(-0.1), tf.constant([2.0])]]
