import tensorflow as tf

with tf.device("/CPU:1"):
    scale = tf.Variable([1.0, 2.0, 3.0])


def scaled(x):
    return x * scale


fast = tf.function(scaled, jit_compile=True)


def run(x):
    with tf.device("/CPU:1"):
        y = fast(x)
    return y + scaled(x)


ENTRY = "run"


def inputs():
    return (tf.ones([3]),)


DEVICES = 2
