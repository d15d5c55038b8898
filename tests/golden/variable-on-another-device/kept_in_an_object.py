import tensorflow as tf

with tf.device("/CPU:1"):
    scale = tf.Variable([1.0, 2.0, 3.0])


class Fast:
    def __init__(self, function):
        self.function = tf.function(function, jit_compile=True)

    def __call__(self, *args):
        return self.function(*args)  # other objects may keep other functions


def scaled(x):
    return x * scale  # want: XLA301 `scale` lives on /CPU:1


fast = Fast(scaled)


def run(x):
    return fast(x)


ENTRY = "run"


def inputs():
    return (tf.ones([3]),)


BEFORE = "error"
ERROR = "Trying to access resource"
SAFETY = "unsafe"
DEVICES = 2
WEAKEN = [('with tf.device("/CPU:1"):\n            return', 'if True:\n            return')]
