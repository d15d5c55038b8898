"""The same loop eagerly, as a plain graph, and with jit_compile=False."""

import tensorflow as tf


def record(x):
    out = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
    for i in tf.range(tf.shape(x)[0]):
        out = out.write(i, x[i] * 2.0)
    return out.stack()


as_graph = tf.function(record)


@tf.function(jit_compile=False)
def interpreted(x):
    return record(x)


@tf.function(jit_compile=True)
def compiled(x):
    return tf.reduce_sum(x)


def run(x):
    return record(x), as_graph(x), interpreted(x), compiled(x)


ENTRY = "run"


def inputs():
    return [tf.constant([1.0, 2.0, 3.0])]
