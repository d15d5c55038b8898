import tensorflow as tf

with tf.device("/CPU:1"):
    total = tf.Variable(0.0)


@tf.function(jit_compile=True)
def accumulate(x):
    return total.assign_add(tf.reduce_sum(x))


def run(x):
    with tf.device("CPU:1"):
        return accumulate(x)


ENTRY = "run"


def inputs():
    return (tf.ones([3]),)


DEVICES = 2
