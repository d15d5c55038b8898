"""tf.gradients of a graph that turns into text on the host what it finds."""

import tensorflow as tf


@tf.function(jit_compile=True)
def settled(w, xs):
    level = tf.constant(0.0)
    for t in tf.range(tf.shape(xs)[0]):
        level = w * level + xs[t]
    return level


@tf.function
def labelled(w, xs):
    end = settled(w, xs)  # want: XLA104 settled
    return tf.strings.as_string(tf.gradients(end, w)[0], precision=3)


ENTRY = "labelled"
BEFORE = "error"
ERROR = "TensorList crossing"
REASON = "as_string.*does not compile"


def inputs():
    return [tf.constant(0.5), tf.constant([1.0, 2.0, 1.5])]
