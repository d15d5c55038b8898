"""What is shuffled has no name, and cannot be computed before the variable is written."""

import tensorflow as tf

tf.random.set_seed(7)
rows = tf.Variable(tf.zeros([4, 6]))
COLUMN = tf.reshape(tf.range(4.0), [4, 1])


@tf.function(jit_compile=True)
def moved(x):
    return rows.assign_add(x) - tf.random.shuffle(rows * COLUMN)  # want: XLA201 shuffle


ENTRY = "moved"
BEFORE = "wrong"
REASON = "something else is computed before it"
ORACLE = "random"


def inputs():
    return [tf.ones([4, 6])]
