"""A subclass has a condition of its own, which runs longer."""

import tensorflow as tf


class Solver:
    def more(self, k, y):
        return k < 3

    def step(self, k, y):
        return k + 1, tf.sin(y)

    @tf.function(jit_compile=True)
    def slope(self, x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            _, y = tf.while_loop(self.more, self.step, (0, x))  # want: XLA102 while_loop
        return y, tape.gradient(y, x)


class Patient(Solver):
    def more(self, k, y):
        return k < 10


def run(x):
    quick, patient = Solver(), Patient()
    return quick.slope(x), patient.slope(x)


ENTRY = "run"
BEFORE = "error"
ERROR = "fixed tensor list size"
REASON = "more than one function may be the condition"


def inputs():
    return [tf.constant([0.5, 1.0])]
