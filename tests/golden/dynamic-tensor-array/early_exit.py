"""The loop may end early: the array gets a shape, a counter, and the result is cut."""

import tensorflow as tf

LIMIT = 6


@tf.function(jit_compile=True)
def settle(x):
    states = tf.TensorArray(tf.float32, size=0, dynamic_size=True, element_shape=[])  # want: XLA103 TensorArray
    for t in tf.range(LIMIT):
        if tf.abs(x) < 0.25:
            break
        x = x * 0.5
        states = states.write(t, x)
    return states.stack()


ENTRY = "settle"
BEFORE = "wrong"
SAFETY = "unsafe"  # the length of the result depends on data
WEAKEN = [("size=LIMIT", "size=LIMIT - 1"), ("[:states_len]", ""), ("states_len += 1", "states_len += 2")]


def inputs():
    return [tf.constant(1.5)]


def more_inputs():
    return [[tf.constant(100.0)], [tf.constant(0.0)]]
