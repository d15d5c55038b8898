import keras
import tensorflow as tf

layer = keras.layers.Dense(2, kernel_initializer="ones")
with tf.device("/CPU:1"):
    layer.build((None, 3))
flat = keras.layers.Flatten()


@tf.function(jit_compile=True)
def step(x):
    return flat(layer(x))  # want: XLA301 `layer` lives on /CPU:1


def run(x):
    return step(x)


ENTRY = "run"


def inputs():
    return (tf.ones([1, 3]),)


BEFORE = "error"
ERROR = "Trying to access resource"
DEVICES = 2
WEAKEN = [('    with tf.device("/CPU:1"):\n        return', '    if True:\n        return')]
