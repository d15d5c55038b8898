"""Loop and body on one line, with characters outside the basic plane before them."""

import tensorflow as tf

SCALES = {"𝛼": 2.0, "中": 0.5}


@tf.function(jit_compile=True)
def scaled(x, *, name="𝛼"):
    total = tf.constant(SCALES["𝛼"]); other = SCALES[name]
    for k in range(2): total += other * SCALES["𝛼"] * tf.reduce_max(tf.reduce_sum(x, axis=k))  # want: XLA101 k
    return total


ENTRY = "scaled"
BEFORE = "error"
ERROR = "must be a compile-time constant"
SAFETY = "safe"
WEAKEN = [("range(2)", "range(1)")]


def inputs():
    return [tf.constant([[1.0, 2.0], [-3.0, 0.5]])]


def more_inputs():
    return [[tf.constant([[1.0]])]]
