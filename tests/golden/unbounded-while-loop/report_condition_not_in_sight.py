"""Which condition it is, a setting says at run time."""

import tensorflow as tf


class Solver:
    def __init__(self, mode):
        self.more = getattr(self, "until_" + mode)

    def until_three(self, k, y):
        return k < 3

    def until_small(self, k, y):
        return tf.reduce_max(y) > 0.5

    @tf.function(jit_compile=True)
    def slope(self, x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.while_loop(self.more, lambda k, y: (k + 1, tf.sin(y)), (0, x))[1]  # want: XLA102 while_loop
        return tape.gradient(y, x)


def run(x):
    solver = Solver("three")
    return solver.slope(x)


ENTRY = "run"
BEFORE = "error"
ERROR = "fixed tensor list size"
REASON = "the condition of the loop is not in sight"


def inputs():
    return [tf.constant([0.5, 1.5])]
