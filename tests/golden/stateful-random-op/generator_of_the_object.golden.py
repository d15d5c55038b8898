"""The object has a generator."""

import tensorflow as tf


class Sampler:
    def __init__(self, seed):
        self.dice = tf.random.Generator.from_seed([seed])

    @tf.function(jit_compile=True)
    def draw(self, mean):
        def body(i, total):
            return i + 1, total + self.dice.normal([2])  # want: XLA201 normal

        return mean + tf.while_loop(lambda i, _: i < 3, body, [0, tf.zeros([2])])[1]


sampler = Sampler(161)


ENTRY = "sampler.draw"
BEFORE = "wrong"
RESEED = ('Sampler(161)', 'Sampler(162)')
SAFETY = "unsafe"  # that nobody misses the numbers drawn from the generator
WEAKEN = [('self.dice.normal([2])', 'tf.random.normal([2])')]
ORACLE = "random"


def inputs():
    return [tf.zeros([2])]
