"""The function gets a generator, and draws past it."""

import tensorflow as tf

tf.random.set_seed(151)
dice = tf.random.Generator.from_seed([151])


@tf.function(jit_compile=True)
def walk(x, rng: tf.random.Generator):
    return x + rng.normal([3]) + tf.random.uniform([3])  # want: XLA201 uniform


def run(x):
    return walk(x, dice)


ENTRY = "run"
BEFORE = "wrong"
RESEED = ('from_seed([151])', 'from_seed([152])')
SAFETY = "unsafe"  # that nobody misses the numbers drawn from the generator
WEAKEN = [('rng.uniform([3])', 'tf.random.uniform([3])')]
ORACLE = "random"


def inputs():
    return [tf.zeros([3])]
