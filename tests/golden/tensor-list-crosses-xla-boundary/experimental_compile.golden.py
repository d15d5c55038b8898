"""The old spelling of jit_compile, on both functions.

UNSAFE: it was turned off at the outer function, maybe for a reason that cannot be seen here.
"""

import tensorflow as tf


@tf.function(experimental_compile=True)
def grown(rate, years):
    capital = tf.constant(1.0)
    for _ in tf.range(years):
        capital = capital * (1.0 + rate)
    return capital


@tf.function(experimental_compile=True)
def sensitivity(rate, years):
    with tf.GradientTape() as tape:
        tape.watch(rate)
        capital = grown(rate, years)  # want: XLA104 grown
    return tape.gradient(capital, rate)


ENTRY = "sensitivity"
BEFORE = "error"
ERROR = "TensorList crossing"
SAFETY = "unsafe"  # nothing else speaks against XLA in the function that turns it off
WEAKEN = [("@tf.function(experimental_compile=True)\ndef sensitivity", "@tf.function(experimental_compile=False)\ndef sensitivity")]


def inputs():
    return [tf.constant(0.1), tf.constant(3)]


def more_inputs():
    return [[tf.constant(0.0), tf.constant(1)]]
