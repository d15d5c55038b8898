"""Down from a self attribute, by two, inclusive; a comment stands before the first statement."""

import tensorflow as tf


class Relaxation:
    def __init__(self, budget):
        self.budget = budget

    @tf.function(jit_compile=True)
    def relax(self, x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            left = tf.constant(9)
            y = x
            while left >= self.budget:  # want: XLA102 `while` loop
                # two sweeps at once
                y = 0.5 * (y + tf.sin(y))
                left = left - 2
        return y, tape.gradient(y, x)


def run(x):
    relaxation = Relaxation(1)
    return relaxation.relax(x)


ENTRY = "run"
BEFORE = "error"
ERROR = "fixed tensor list size"
WEAKEN = [("// 2", "// 2 - 1")]


def inputs():
    return [tf.constant([0.5, 2.0])]


def more_inputs():
    return [[tf.constant([0.0])], [tf.constant([[1.0], [3.0]])]]
