import keras
import tensorflow as tf

with tf.device("/CPU:1"):
    scale = tf.Variable([1.0, 2.0, 3.0])
mean = keras.metrics.Mean()


@tf.function(jit_compile=True)
def step(x):
    y = x * scale  # want: XLA301 `scale` lives on /CPU:1
    scale.assign(y)
    mean.update_state(y)
    return y


@tf.function(jit_compile=True)
def result():
    return mean.result()


def run(x):
    y = step(x)
    return y + result()


ENTRY = "run"


def inputs():
    return (tf.ones([3]),)


BEFORE = "error"
ERROR = "Trying to access resource"
REASON = "`mean` is also used by compiled `result`"
DEVICES = 2
