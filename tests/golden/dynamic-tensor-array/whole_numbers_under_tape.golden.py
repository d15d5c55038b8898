"""Whole numbers have no gradient: under a tape their array does not abort the compiler, it comes back empty."""

import tensorflow as tf


@tf.function(jit_compile=True)
def step(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        signs = tf.TensorArray(tf.int32, size=4, dynamic_size=False)  # want: XLA103 comes back empty
        loss = x
        for i in tf.range(4):
            signs = signs.write(i, tf.cast(tf.sign(loss), tf.int32))
            loss = loss * loss - 0.5
    return tape.gradient(loss, x), signs.stack()


ENTRY = "step"
BEFORE = "wrong"
SAFETY = "safe"  # one write per iteration at the index
WEAKEN = [("size=4", "size=3")]


def inputs():
    return [tf.constant(-0.5)]


def more_inputs():
    return [[tf.constant(0.25)]]
