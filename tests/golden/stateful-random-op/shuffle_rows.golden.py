"""A shuffle of floating point numbers has no gradient, the gather in its place has one."""

import tensorflow as tf

tf.random.set_seed(91)
_rng = tf.random.Generator.from_seed([91])


@tf.function(jit_compile=True)
def contrast(anchor, pool):
    other = tf.gather(params=pool, indices=tf.argsort(_rng.uniform_full_int(tf.shape(pool)[:1], dtype=tf.int32), stable=True))  # want: XLA201 shuffle
    return tf.reduce_sum(anchor * other, axis=-1)


ENTRY = "contrast"
BEFORE = "wrong"
RESEED = ('set_seed(91)', 'set_seed(92)')
SAFETY = "unsafe"  # that nothing depends on the missing gradient
WEAKEN = [('from_seed([', 'from_seed([0] or [')]
ORACLE = "random"


def inputs():
    return [tf.reshape(tf.range(24.0), [12, 2]), tf.reshape(tf.range(24.0), [12, 2])]
