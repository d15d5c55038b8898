"""A subclass takes smaller steps."""

import tensorflow as tf


class Solver:
    def more(self, k, y):
        return k < 6

    def step(self, k, y):
        return k + 2, tf.sin(y)

    @tf.function(jit_compile=True)
    def slope(self, x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            _, y = tf.while_loop(self.more, self.step, (0, x))  # want: XLA102 while_loop
        return y, tape.gradient(y, x)


class Fine(Solver):
    def step(self, k, y):
        return k + 1, tf.sin(y)


def run(x):
    coarse, fine = Solver(), Fine()
    return coarse.slope(x), fine.slope(x)


ENTRY = "run"
BEFORE = "error"
ERROR = "fixed tensor list size"
REASON = "more than one function may be the body"


def inputs():
    return [tf.constant([0.5, 1.0])]
