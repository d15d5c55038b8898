"""An AutoGraph `while` over the rows of a static dimension, counter first."""

import tensorflow as tf


@tf.function(jit_compile=True)
def ema(signal, decay):
    with tf.GradientTape() as tape:
        tape.watch(decay)
        i = tf.constant(0)
        level = signal[0]
        while i < signal.shape[0]:  # want: XLA102 `while` loop
            level = decay * level + (1.0 - decay) * signal[i]
            i += 1
    return level, tape.gradient(level, decay)


ENTRY = "ema"
BEFORE = "error"
ERROR = "fixed tensor list size"
WEAKEN = [("maximum_iterations=signal.shape[0]", "maximum_iterations=signal.shape[0] - 1")]


def inputs():
    return [tf.constant([1.0, 4.0, 2.0]), tf.constant(0.5)]


def more_inputs():
    return [[tf.constant([2.0]), tf.constant(0.5)], [tf.constant([5.0, 4.0, 3.0, 2.0]), tf.constant(0.8)]]
