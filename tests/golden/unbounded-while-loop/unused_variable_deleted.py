"""The condition deletes what it does not use, as the style guides of large projects ask for."""

import tensorflow as tf


@tf.function(jit_compile=True)
def compounded(rates, capital):
    def keep_going(year, value):
        """All years."""
        del value
        return year < rates.shape[0]

    with tf.GradientTape() as tape:
        tape.watch(capital)
        _, value = tf.while_loop(  # want: XLA102 while_loop
            keep_going, lambda year, value: (year + 1, value * (1.0 + rates[year])), (0, capital)
        )
    return value, tape.gradient(value, capital)


ENTRY = "compounded"
BEFORE = "error"
ERROR = "fixed tensor list size"
WEAKEN = [("maximum_iterations=rates.shape[0]", "maximum_iterations=rates.shape[0] - 1")]


def inputs():
    return [tf.constant([0.1, 0.0, 0.2]), tf.constant(2.0)]


def more_inputs():
    return [[tf.constant([0.5]), tf.constant(0.5)], [tf.zeros([4]), tf.constant(1.0)]]
