"""From the last row to the first, as a return is computed backwards in time."""

import tensorflow as tf


@tf.function(jit_compile=True)
def discounted(rewards, gamma):
    with tf.GradientTape() as tape:
        tape.watch(gamma)
        _, value = tf.while_loop(  # want: XLA102 while_loop
            lambda t, value: t >= 0,
            lambda t, value: (t - 1, rewards[t] + gamma * value),
            (rewards.shape[0] - 1, 0.0),
        )
    return value, tape.gradient(value, gamma)


ENTRY = "discounted"
BEFORE = "error"
ERROR = "fixed tensor list size"
WEAKEN = [("maximum_iterations=rewards.shape[0]", "maximum_iterations=rewards.shape[0] - 1")]


def inputs():
    return [tf.constant([1.0, 0.0, 2.0]), tf.constant(0.9)]


def more_inputs():
    return [[tf.constant([5.0]), tf.constant(0.5)], [tf.constant([1.0, 1.0, 1.0, 1.0]), tf.constant(1.0)]]
