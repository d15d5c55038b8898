import tensorflow as tf

with tf.device("/CPU:1"):
    scale = tf.Variable([1.0, 2.0, 3.0])
    start = tf.constant([1.0, 2.0, 3.0])


@tf.function(jit_compile=True)
def step(x, by):
    return x * by + tf.ones(scale.shape, scale.dtype) + start


def run(x):
    return step(x, tf.identity(scale)) + step(x, scale.read_value())


ENTRY = "run"


def inputs():
    return (tf.ones([3]),)


DEVICES = 2
