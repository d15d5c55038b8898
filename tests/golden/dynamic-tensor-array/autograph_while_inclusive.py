"""An AutoGraph while with an inclusive limit: one element more than the limit says."""

import tensorflow as tf


class Schedule:
    def __init__(self, last):
        self.last = last

    @tf.function(jit_compile=True)
    def values(self, rate):
        steps = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
        t = tf.constant(0)
        while t <= self.last:
            steps = steps.write(t, rate * tf.cast(t, tf.float32))
            t += 1
        return steps.stack()


def run(rate):
    schedule = Schedule(3)
    return schedule.values(rate)


ENTRY = "run"
BEFORE = "wrong"
SAFETY = "safe"
WEAKEN = [("size=self.last + 1", "size=self.last")]


def inputs():
    return [tf.constant(0.5)]


def more_inputs():
    return [[tf.constant([1.0, 2.0])]]
