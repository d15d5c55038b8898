"""The compiled function is also run eagerly, where its numbers followed the seed."""

import tensorflow as tf

tf.random.set_seed(7)
_rng = tf.random.Generator.from_seed([7])


@tf.function(jit_compile=True)
def noisy(x):
    return x + _rng.normal(tf.shape(x))  # want: XLA201 normal


def preview(x):
    return noisy.python_function(x)


ENTRY = "noisy"
BEFORE = "wrong"
SAFETY = "unsafe"  # nobody needs the numbers of eager runs
RESEED = ("set_seed(7)", "set_seed(8)")
WEAKEN = [("from_seed([", "from_seed([0] or [")]
ORACLE = "random"


def inputs():
    return [tf.ones([4, 6])]
