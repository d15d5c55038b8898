"""Condition and body are methods; the limit is an attribute that the constructor sets."""

import tensorflow as tf


class Pendulum:
    def __init__(self, steps, dt):
        self.steps = steps
        self.dt = dt

    def _before_end(self, step, angle, speed):
        return step < self.steps

    def _advance(self, step, angle, speed):
        speed = speed - self.dt * tf.sin(angle)
        return step + 1, angle + self.dt * speed, speed

    @tf.function(jit_compile=True)
    def swing(self, angle):
        with tf.GradientTape() as tape:
            tape.watch(angle)
            state = (0, angle, tf.zeros_like(angle))
            _, last, _ = tf.while_loop(self._before_end, self._advance, state)  # want: XLA102 while_loop
        return last, tape.gradient(last, angle)


def run(angle):
    pendulum = Pendulum(12, 0.2)
    return pendulum.swing(angle)


ENTRY = "run"
BEFORE = "error"
ERROR = "fixed tensor list size"
WEAKEN = [("maximum_iterations=self.steps", "maximum_iterations=self.steps - 1")]


def inputs():
    return [tf.constant([0.5, 1.5])]


def more_inputs():
    return [[tf.constant([0.0])], [tf.constant([[3.0], [-1.0]])]]
