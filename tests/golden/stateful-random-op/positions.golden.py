"""The fifth argument of the old functions is the seed, that of the new ones the name."""

import tensorflow as tf

tf.random.set_seed(21)
_rng = tf.random.Generator.from_seed([21])


@tf.function(jit_compile=True)
def pairs(x):
    count = tf.shape(x)[0]
    share = _rng.uniform([count, 1], 0.25, 0.75, tf.float32)  # want: XLA201 uniform
    other = _rng.uniform([count], maxval=count, dtype=tf.int32)  # want: XLA201 uniform
    bent = _rng.truncated_normal([count, 1], 0.0, 0.1, tf.float32, "bent")  # want: XLA201 truncated
    return share * x + (1.0 - share) * tf.gather(x, other) + bent


ENTRY = "pairs"
BEFORE = "wrong"
RESEED = ('set_seed(21)', 'set_seed(22)')
WEAKEN = [('0.25, 0.75', '0.25, 9.75'), ('from_seed([', 'from_seed([0] or [')]
ORACLE = "random"


def inputs():
    return [tf.reshape(tf.range(12.0), [6, 2])]
