import tensorflow as tf


class Scaled(tf.Module):
    def __init__(self):
        super().__init__()
        self.scale = tf.Variable([1.0, 2.0, 3.0])

    @tf.function(jit_compile=True)
    def __call__(self, x):
        return x * self.scale  # want: XLA301 `self.scale` lives on /CPU:1


first = Scaled()
with tf.device("/CPU:1"):
    second = Scaled()


def run(x):
    one = first(x)
    two = second(x)
    return one + two


ENTRY = "run"


def inputs():
    return (tf.ones([3]),)


BEFORE = "error"
ERROR = "Trying to access resource"
DEVICES = 2
WEAKEN = [('with tf.device("/CPU:1"):\n        two', 'if True:\n        two')]
