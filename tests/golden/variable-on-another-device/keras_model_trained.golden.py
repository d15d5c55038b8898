import keras
import tensorflow as tf


def build(device):
    with tf.device(device):
        inputs = keras.Input((3,))
        outputs = keras.layers.Dense(2, kernel_initializer="ones")(inputs)
        outputs = keras.layers.Dense(1, kernel_initializer="ones")(outputs)
    model = keras.Model(inputs, outputs)
    with tf.device("/CPU:1"):
        model.compile("adam", "mse", jit_compile=True)  # want: XLA301 `model` lives on /CPU:1, .* `model.fit` is called
    return model


def run(x, y):
    model = build("/CPU:1")
    with tf.device("/CPU:1"):
        history = model.fit(x, y, verbose=0)
    with tf.device("/CPU:1"):
        return history.history["loss"], model.predict_on_batch(x)


ENTRY = "run"


def inputs():
    return (tf.ones([2, 3]), tf.ones([2, 1]))


BEFORE = "error"
ERROR = "Graph execution error"
SAFETY = "unsafe"  # the optimizer may live there, too
DEVICES = 2
WEAKEN = [('with tf.device("/CPU:1"):\n        model.compile', 'if True:\n        model.compile')]
