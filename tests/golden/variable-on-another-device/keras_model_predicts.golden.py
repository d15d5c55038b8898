import keras
import tensorflow as tf

with tf.device("/CPU:1"):
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2, kernel_initializer="ones")])
model.compile(jit_compile=True)  # want: XLA301 `model` lives on /CPU:1, but compiled `model.predict` is called


def run(x):
    with tf.device("/CPU:1"):
        return model.predict(x, verbose=0)


ENTRY = "run"


def inputs():
    return (tf.ones([1, 3]),)


BEFORE = "error"
ERROR = "Graph execution error"
DEVICES = 2
WEAKEN = [('with tf.device("/CPU:1"):\n        return', 'if True:\n        return')]
