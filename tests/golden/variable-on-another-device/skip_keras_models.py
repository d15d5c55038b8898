import keras
import tensorflow as tf

with tf.device("/CPU:1"):
    together = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1, kernel_initializer="ones")])
    together.compile("sgd", "mse", jit_compile=True)
    plain = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1, kernel_initializer="ones")])
plain.compile("sgd", "mse", jit_compile=False)
entrance = keras.Input((3,))
result = keras.layers.Dense(1, kernel_initializer="ones")(entrance)  # its variables are made here
with tf.device("/CPU:1"):
    elsewhere = keras.Model(entrance, result)
elsewhere.compile("sgd", "mse", jit_compile=True)


def run(x, y):
    with tf.device("/CPU:1"):
        first = together.train_on_batch(x, y)
    return first, plain.train_on_batch(x, y), elsewhere.train_on_batch(x, y)


ENTRY = "run"


def inputs():
    return (tf.ones([2, 3]), tf.ones([2, 1]))


DEVICES = 2
