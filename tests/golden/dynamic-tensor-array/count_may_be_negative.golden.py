"""The trip count is a difference that can be negative: tf.range takes that, a size does not."""

import tensorflow as tf


def windows_impl(x):
    out = tf.TensorArray(tf.float32, size=tf.maximum(tf.shape(x)[0] - 2, 0), dynamic_size=False, element_shape=[])  # want: XLA103 TensorArray
    for start in tf.range(tf.shape(x)[0] - 2):
        out = out.write(start, tf.reduce_sum(tf.slice(x, [start], [3])))
    return out.stack()


@tf.function(jit_compile=True)
def windows(x):
    return windows_impl(x)


@tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
def windows_of_any(x):
    return windows_impl(x)


def run(x, short):
    return windows(x), windows_of_any(x), windows_of_any(short)


ENTRY = "run"
BEFORE = "wrong"
SAFETY = "safe"
MODES = ["graph"]  # eagerly tf.range(-1) raises
WEAKEN = [("tf.maximum(tf.shape(x)[0] - 2, 0)", "tf.shape(x)[0] - 2"), ("[0] - 2, 0)", "[0] - 3, 0)")]


def inputs():
    return [tf.constant([0.3, 1.5, -1.0, 2.0]), tf.constant([1.0])]


def more_inputs():
    return [[tf.constant([0.3, 1.5, -1.0]), tf.zeros([2])]]
