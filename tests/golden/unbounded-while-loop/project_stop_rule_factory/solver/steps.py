import tensorflow as tf

from .rules import rounds_below


class Descent:
    def __init__(self, rounds, rate):
        self.rounds = rounds
        self.rate = rate

    def minimise(self, curvature, x):
        def step(k, x, momentum):
            momentum = 0.5 * momentum - self.rate * curvature * x
            return k + 1, x + momentum, momentum

        state = (0, x, tf.zeros_like(x))
        return tf.while_loop(rounds_below(self.rounds), step, state)[1]  # want: XLA102 while_loop
