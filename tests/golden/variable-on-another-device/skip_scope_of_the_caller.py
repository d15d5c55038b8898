import tensorflow as tf

with tf.device("/CPU:1"):
    scale = tf.Variable([1.0, 2.0, 3.0])


@tf.function(jit_compile=True)
def step(x):
    return x * scale


def inner(x):
    return step(x)


def run(x):
    with tf.device("/job:localhost/replica:0/task:0/device:CPU:1"):
        return inner(x)


ENTRY = "run"


def inputs():
    return (tf.ones([3]),)


DEVICES = 2
