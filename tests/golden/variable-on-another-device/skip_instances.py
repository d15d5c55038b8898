import tensorflow as tf


class Scaled(tf.Module):
    def __init__(self):
        super().__init__()
        self.scale = tf.Variable([1.0, 2.0, 3.0])

    @tf.function(jit_compile=True)
    def __call__(self, x):
        return x * self.scale


with tf.device("/CPU:0"):
    first = Scaled()
with tf.device("/CPU:1"):
    second = Scaled()


def run(x):
    with tf.device("/CPU:0"):
        one = first(x)
    with tf.device("/CPU:1"):
        return one + second(x)


ENTRY = "run"


def inputs():
    return (tf.ones([3]),)


DEVICES = 2
