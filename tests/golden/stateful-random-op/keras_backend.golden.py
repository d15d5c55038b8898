"""The old functions of the Keras backend: an absent dtype is that of the backend."""

import tensorflow as tf
from tensorflow.keras import backend as K

tf.random.set_seed(101)
_rng = tf.random.Generator.from_seed([101])


@tf.function(jit_compile=True)
def gates(x):
    a = _rng.normal((4, 3), 1.0, 0.5, K.floatx())  # want: XLA201 random_normal
    b = _rng.uniform((4, 3), minval=-1.0, maxval=2.0, dtype="float64")  # want: XLA201 random_uniform
    c = tf.cast(_rng.uniform((4, 3), dtype=K.floatx()) <= 0.3, K.floatx())  # want: XLA201 random_bernoulli
    d = tf.nn.experimental.general_dropout(x, 0.4, uniform_sampler=_rng.uniform)  # want: XLA201 dropout
    return a, b, c, d + _rng.truncated_normal((4, 3), dtype=K.floatx())  # want: XLA201 truncated_normal


ENTRY = "gates"
BEFORE = "wrong"
RESEED = ('tf.random.set_seed(101)', 'tf.random.set_seed(102)')
WEAKEN = [('from_seed([', 'from_seed([0] or ['), ('<= 0.3', '<= 0.7'), ('uniform_sampler=_rng.uniform', 'uniform_sampler=tf.random.uniform')]
ORACLE = "random"


def inputs():
    return [tf.ones([4, 3])]
