"""A TensorArray that grows in a tensor loop under a gradient: the compiler aborts the process."""

import tensorflow as tf


class Rollout(tf.Module):
    def __init__(self, length):
        super().__init__()
        self.length = length
        self.gain = tf.Variable(0.7)

    def simulate(self, s):
        states = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
        for t in tf.range(self.length):
            s = tf.tanh(self.gain * s)
            states = states.write(t, s)
        return states.stack()

    @tf.function(jit_compile=True)
    def step(self, s):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(self.simulate(s))
        return loss, tape.gradient(loss, self.gain)


def main(s):
    rollout = Rollout(4)
    return rollout.step(s)


ENTRY = "main"
BEFORE = "abort"
SAFETY = "safe"  # one write per iteration at the index; size and trip count are the same expression
WEAKEN = [("size=self.length", "size=self.length - 1"), ("dynamic_size=False", "dynamic_size=True")]


def inputs():
    return [tf.constant([0.5, -0.5])]


def more_inputs():
    return [[tf.constant([2.0])]]
