"""`<=` runs once more than the constant says; the file imports names from TensorFlow."""

import tensorflow as tf
from tensorflow import while_loop

ORDER = 6


@tf.function(jit_compile=True)
def taylor_exp(x):
    with tf.GradientTape() as tape:
        tape.watch(x)

        def add_term(k, term, total):
            term = term * x / tf.cast(k, tf.float32)
            return k + 1, term, total + term

        one = tf.ones_like(x)
        _, _, total = while_loop(lambda k, term, total: k <= ORDER, add_term, (1, one, one), maximum_iterations=ORDER)  # want: XLA102 `while_loop`
    return total, tape.gradient(total, x)


ENTRY = "taylor_exp"
BEFORE = "error"
ERROR = "fixed tensor list size"
WEAKEN = [("maximum_iterations=ORDER", "maximum_iterations=ORDER - 1")]


def inputs():
    return [tf.constant([0.5, 2.0])]


def more_inputs():
    return [[tf.constant([0.0])], [tf.constant([[-3.0], [3.0]])]]
