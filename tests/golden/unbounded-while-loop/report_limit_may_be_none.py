"""For some callers there is no limit, and the loop does not run at all."""

import tensorflow as tf


def settle(x, limit=None):
    i = tf.constant(1)
    while limit is not None and i < limit:  # want: XLA102 `while` loop
        x = tf.sin(x)
        i += 1
    return x


@tf.function(jit_compile=True)
def slope(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = settle(x, 3)
    return y, tape.gradient(y, x)


@tf.function
def plain(x):
    return settle(x)


def run(x):
    return slope(x), plain(x), settle(x)


ENTRY = "run"
BEFORE = "error"
ERROR = "fixed tensor list size"
REASON = "None"


def inputs():
    return [tf.constant([1.5, 1.0])]
