import keras
import tensorflow as tf

with tf.device("/CPU:1"):
    layer = keras.layers.Dense(2, kernel_initializer="ones")  # has no variables yet


@tf.function(jit_compile=True)
def step(x):
    return layer(x)


def run(x):
    return step(x)


ENTRY = "run"


def inputs():
    return (tf.ones([1, 3]),)


DEVICES = 2
