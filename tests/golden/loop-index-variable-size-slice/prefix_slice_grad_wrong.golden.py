"""The gradient of a slice x[:i] with the index of a tensor loop is silently wrong under XLA."""

import tensorflow as tf


@tf.function(jit_compile=True)
def prefix_penalty_grad(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        total = tf.constant(0.0)
        for i in range(1, x.shape[0]):  # want: XLA105 slice|x\[:i\]
            total += tf.reduce_sum(x[:i] ** 2)
    return total, tape.gradient(total, x)


ENTRY = "prefix_penalty_grad"
BEFORE = "wrong"
SAFETY = "safe"  # the loop already runs to x.shape[0], so it is static wherever the code ran
WEAKEN = [("range(1, x.shape[0])", "range(1, x.shape[0] - 1)"), ("in range(", "in tf.range(")]


def inputs():
    return [tf.constant([1.0, 2.0, 3.0, 4.0])]


def more_inputs():
    return [[tf.constant([1.0, -1.0])]]
