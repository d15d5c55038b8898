"""A test for a setting is no guard: what it lets through is drawn in each call. Only what fills is one."""

import tensorflow as tf

tf.random.set_seed(7)
_rng = tf.random.Generator.from_seed([7])
MASK = None
_offsets = {}


def offset(size):
    if size not in _offsets:
        with tf.init_scope():
            _offsets[size] = tf.Variable(tf.random.normal([size]))
    return _offsets[size]


@tf.function(jit_compile=True)
def masked(x):
    if MASK is None:
        keep = _rng.uniform(tf.shape(x)) > 0.5  # want: XLA201 uniform
    else:
        keep = MASK
    return tf.where(keep, x, 0.0) + 0.0 * offset(6)


ENTRY = "masked"
BEFORE = "wrong"
RESEED = ("set_seed(7)", "set_seed(8)")
WEAKEN = [("from_seed([", "from_seed([0] or [")]
ORACLE = "random"


def inputs():
    return [tf.ones([4, 6])]
