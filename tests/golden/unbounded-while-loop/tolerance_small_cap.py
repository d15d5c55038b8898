"""A tolerance usually ends the loop; the counter caps it at 40, which costs little memory."""

import tensorflow as tf

MAX_ITERATIONS = 40


@tf.function(jit_compile=True)
def newton_root(a, tolerance):
    with tf.GradientTape() as tape:
        tape.watch(a)

        def wrong(step, x):
            return step < MAX_ITERATIONS and tf.reduce_max(tf.abs(x * x - a)) > tolerance

        def improve(step, x):
            return step + 1, 0.5 * (x + a / x)

        _, root = tf.while_loop(wrong, improve, (0, a))  # want: XLA102 while_loop
    return root, tape.gradient(root, a)


ENTRY = "newton_root"
BEFORE = "error"
ERROR = "fixed tensor list size"
WEAKEN = [("maximum_iterations=MAX_ITERATIONS", "maximum_iterations=MAX_ITERATIONS - 1")]


def inputs():
    return [tf.constant([2.0, 9.0]), tf.constant(1e-3)]


def more_inputs():
    return [
        [tf.constant([1.0]), tf.constant(1e-3)],  # no round
        [tf.constant([1e24, 1e26]), tf.constant(0.0)],  # to the cap: the digits never settle at 0
    ]
