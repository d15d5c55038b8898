import keras
import tensorflow as tf

optimizer = keras.optimizers.SGD(0.1, momentum=0.9)
with tf.device("/CPU:1"):
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1, kernel_initializer="ones")])
    model.compile(optimizer, "mse", jit_compile=True)  # want: XLA301 `model` lives on /CPU:1


def run(x, y):
    return model.train_on_batch(x, y)


ENTRY = "run"


def inputs():
    return (tf.ones([2, 3]), tf.ones([2, 1]))


BEFORE = "error"
ERROR = "Trying to access resource"
SAFETY = "unsafe"  # the optimizer may live there, too
DEVICES = 2
WEAKEN = [('with tf.device("/CPU:1"):\n    optimizer', 'if True:\n    optimizer')]
