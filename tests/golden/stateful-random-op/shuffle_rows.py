"""A shuffle of floating point numbers has no gradient, the gather in its place has one."""

import tensorflow as tf

tf.random.set_seed(91)


@tf.function(jit_compile=True)
def contrast(anchor, pool):
    other = tf.random.shuffle(value=pool)  # want: XLA201 shuffle
    return tf.reduce_sum(anchor * other, axis=-1)


ENTRY = "contrast"
BEFORE = "wrong"
RESEED = ('set_seed(91)', 'set_seed(92)')
SAFETY = "unsafe"  # that nothing depends on the missing gradient
WEAKEN = [('from_seed([', 'from_seed([0] or [')]
ORACLE = "random"


def inputs():
    return [tf.reshape(tf.range(24.0), [12, 2]), tf.reshape(tf.range(24.0), [12, 2])]
