"""The root is a call, in the old spelling; the loop is in a module-level function with a gradient outside."""

import tensorflow as tf

AXES = 2


def smooth(x):
    out = x
    for axis in range(AXES):  # want: XLA101 axis
        out = out + 0.5 * tf.roll(x, shift=1, axis=axis)
    return out


def loss_and_gradient(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        loss = tf.reduce_sum(smooth(x) ** 2)
    return loss, tape.gradient(loss, x)


compiled = tf.function(loss_and_gradient, experimental_compile=True)


def run(x):
    return compiled(x), loss_and_gradient(x)


ENTRY = "run"
BEFORE = "error"
ERROR = "must be a compile-time constant"
SAFETY = "safe"
WEAKEN = [("range(AXES)", "range(AXES - 1)")]


def inputs():
    return [tf.constant([[1.0, 2.0], [-3.0, 0.5]])]


def more_inputs():
    return [[tf.constant([[1.0]])]]
