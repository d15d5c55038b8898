"""The array grows in a function of a tf.data pipeline; the compiled step only reads what comes out."""

import tensorflow as tf


def cumulate(x):
    out = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
    total = tf.constant(0.0)
    for i in tf.range(tf.shape(x)[0]):
        total += x[i]
        out = out.write(i, total)
    return out.stack()


@tf.function(jit_compile=True)
def step(x):
    return tf.reduce_max(x)


def run(x):
    return [step(one) for one in tf.data.Dataset.from_tensors(x).map(cumulate)]


ENTRY = "run"


def inputs():
    return [tf.constant([1.0, 2.0, 3.0])]
