import keras
import tensorflow as tf


class Head(tf.Module):
    def __init__(self):
        super().__init__()
        with tf.device("/CPU:1"):
            self.scale = tf.Variable([1.0, 2.0, 3.0])
        self.dense = keras.layers.Dense(2, kernel_initializer="ones")

    @tf.function(jit_compile=True)
    def apply(self, x):
        return self.dense(x * self.scale)  # want: XLA301 `self.scale` lives on /CPU:1


head = Head()


def run(x):
    return head.apply(x)


ENTRY = "run"


def inputs():
    return (tf.ones([1, 3]),)


BEFORE = "error"
ERROR = "Trying to access resource"
SAFETY = "unsafe"  # the layer is first called there
DEVICES = 2
WEAKEN = [('    with tf.device("/CPU:1"):\n        return', '    if True:\n        return')]
