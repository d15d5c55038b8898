"""A method sets the attribute that the loop runs to."""

import tensorflow as tf


class Sampler(tf.Module):
    def __init__(self):
        super().__init__()
        self.steps = 1

    def prepare(self, n):
        self.steps = n

    @tf.function(jit_compile=True)
    def first(self, x):
        out = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
        self.prepare(3)
        for i in range(self.steps):
            out = out.write(i, x[i])
        return out.stack()


def run(x):
    sampler = Sampler()
    return sampler.first(x)


ENTRY = "run"
BEFORE = "wrong"
REASON = "self.steps.*changed by"


def inputs():
    return [tf.constant([1.0, 2.0, 3.0])]
