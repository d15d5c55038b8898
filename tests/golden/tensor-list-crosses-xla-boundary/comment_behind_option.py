"""A comment stands behind the last option; it stays there.

SAFE: the outer function is a tf.function already, and all it calls has a kernel under XLA.
"""

import tensorflow as tf


@tf.function(jit_compile=True)
def discounted(rate, cash):
    value = tf.constant(0.0)
    for year in tf.range(tf.shape(cash)[0]):
        value = value * rate + cash[year]
    return value


@tf.function(
    autograph=False,
    reduce_retracing=True,  # the number of years differs from call to call
)
def duration(rate, cash):
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(rate)
        value = discounted(rate, cash)  # want: XLA104 discounted
    return tape.gradient(value, rate) / value


ENTRY = "duration"
BEFORE = "error"
ERROR = "TensorList crossing"
WEAKEN = [("    jit_compile=True,\n", "")]


def inputs():
    return [tf.constant(0.9), tf.constant([5.0, 5.0, 105.0])]


def more_inputs():
    return [[tf.constant(1.1), tf.constant([2.0])], [tf.constant(0.5), tf.constant([1.0, 2.0, 3.0, 4.0, 5.0])]]
