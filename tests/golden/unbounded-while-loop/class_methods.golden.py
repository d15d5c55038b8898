"""Condition and body are class methods, called through the instance: `cls` is no loop variable."""

import tensorflow as tf


class Solver:
    @classmethod
    def more(cls, i, j, y):
        return i < 6

    @classmethod
    def step(cls, i, j, y):
        return i + 1, i + 3, tf.sin(y)

    @tf.function(jit_compile=True)
    def slope(self, x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            _, _, y = tf.while_loop(self.more, self.step, (0, 3, x), maximum_iterations=6)  # want: XLA102 while_loop
        return y, tape.gradient(y, x)


solver = Solver()


def run(x):
    return solver.slope(x)


ENTRY = "run"
BEFORE = "error"
ERROR = "fixed tensor list size"
WEAKEN = [("maximum_iterations=6", "maximum_iterations=1")]


def inputs():
    return [tf.constant([1.5, 1.0])]
