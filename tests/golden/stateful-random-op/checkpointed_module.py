"""A checkpoint holds the state of the generator: a restored module goes on where it was."""

import tempfile

import tensorflow as tf


class Filter(tf.Module):
    def __init__(self, seed=5):
        super().__init__()
        self.noise_seed = seed
        self.weight = tf.Variable(1.0)

    @tf.function(jit_compile=True)
    def __call__(self, x):
        return self.weight * x + tf.random.normal(tf.shape(x), seed=self.noise_seed)  # want: XLA201 normal


module, again = Filter(), Filter()


def run(x):
    with tempfile.TemporaryDirectory() as folder:
        path = tf.train.Checkpoint(module=module).save(folder + "/c")
        tf.train.Checkpoint(module=again).restore(path).assert_consumed()
    one = module(x)
    return one, again(x)


ENTRY = "run"
BEFORE = "wrong"
RESEED = ('seed=5', 'seed=6')
SAFETY = "unsafe"  # that checkpoints do not matter, and the seed is a number
WEAKEN = [('from_seed([self.noise_seed])', 'from_seed([1])')]
ORACLE = "random"


def inputs():
    return [tf.zeros([4])]
