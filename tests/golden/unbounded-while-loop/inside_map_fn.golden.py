"""tf.map_fn bounds its own loop, but not the one in the mapped function."""

import tensorflow as tf

STEPS = 4


def settle(x):
    return tf.while_loop(lambda k, y: k < STEPS, lambda k, y: (k + 1, y + 0.3 * tf.cos(y)), (0, x), maximum_iterations=STEPS)[1]  # want: XLA102


@tf.function(jit_compile=True)
def settled(xs):
    with tf.GradientTape() as tape:
        tape.watch(xs)
        ys = tf.map_fn(settle, xs)
    return ys, tape.gradient(ys, xs)


ENTRY = "settled"
BEFORE = "error"
ERROR = "fixed tensor list size"
WEAKEN = [("maximum_iterations=STEPS", "maximum_iterations=STEPS - 1")]


def inputs():
    return [tf.constant([0.1, 0.9, 2.0])]


def more_inputs():
    return [[tf.constant([1.0])], [tf.constant([-1.0, 4.0])]]
