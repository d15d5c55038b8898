"""size() of a TensorArray that grows is silently zero when compiled."""

import tensorflow as tf


@tf.function(jit_compile=True)
def mean_of_steps(x):
    ta = tf.compat.v1.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
    total = tf.constant(0.0)
    for i in tf.range(4):
        total += x[i]
        ta = ta.write(i, total)
    return total / tf.cast(ta.size() + 1, tf.float32)


ENTRY = "mean_of_steps"
BEFORE = "wrong"
SAFETY = "safe"  # one write per iteration at the index; the trip count is a literal
WEAKEN = [("size=4", "size=3")]


def inputs():
    return [tf.constant([1.0, 2.0, 3.0, 4.0])]


def more_inputs():
    return [[tf.zeros([5])]]
