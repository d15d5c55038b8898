"""The loop and the operand come from TensorFlow's internal modules."""

import tensorflow as tf
from tensorflow.python.ops import array_ops, math_ops

RANK = 3


@tf.function(jit_compile=True)
def mirrored_energy(cube):
    energy = tf.constant(0.0)
    for axis in math_ops.range(RANK):  # want: XLA101 axis
        energy += math_ops.reduce_sum(cube * array_ops.reverse(cube, [axis]))
    return energy


ENTRY = "mirrored_energy"
BEFORE = "error"
ERROR = "must be a compile-time constant"
SAFETY = "safe"
WEAKEN = [("range(RANK)", "range(RANK - 1)"), ("in range(", "in math_ops.range(")]


def inputs():
    return [tf.reshape(tf.sin(tf.range(24, dtype=tf.float32)), [2, 3, 4])]


def more_inputs():
    return [[tf.ones([1, 1, 1])]]
