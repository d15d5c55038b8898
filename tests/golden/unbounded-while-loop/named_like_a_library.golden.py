"""A function of the project that is called like one that counts: here it is differentiable."""

import tensorflow as tf


class Soft:
    def argmax(self, x):
        return tf.reduce_sum(tf.nn.softmax(x) * tf.range(3.0))


soft = Soft()


@tf.function(jit_compile=True)
def settled(x):
    def keep_going(value, i):
        del value
        return i < x.shape[0]

    with tf.GradientTape() as tape:
        tape.watch(x)
        value, _ = tf.while_loop(  # want: XLA102 while_loop
            keep_going, lambda value, i: (soft.argmax(x[i] * value), i + 1), (1.0, 0), maximum_iterations=x.shape[0]
        )
    return value, tape.gradient(value, x)


ENTRY = "settled"
BEFORE = "error"
ERROR = "fixed tensor list size"
WEAKEN = [("maximum_iterations=x.shape[0]", "maximum_iterations=x.shape[0] - 1")]


def inputs():
    return [tf.constant([[0.1, 0.5, 0.2], [0.7, 0.3, 0.4]])]


def more_inputs():
    return [[tf.constant([[0.4, 0.2, 0.9]])]]
