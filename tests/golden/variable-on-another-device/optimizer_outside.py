import keras
import tensorflow as tf

with tf.device("/CPU:1"):
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2, kernel_initializer="ones")])
optimizer = keras.optimizers.SGD(0.1, momentum=0.9)


@tf.function(jit_compile=True)
def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(model(x))  # want: XLA301 `model` lives on /CPU:1
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


def run(x):
    return [step(x), step(x)]


ENTRY = "run"


def inputs():
    return (tf.ones([1, 3]),)


BEFORE = "error"
ERROR = "Trying to access resource"
SAFETY = "unsafe"  # the optimizer may live there, too
DEVICES = 2
WEAKEN = [('with tf.device("/CPU:1"):\n    optimizer', 'if True:\n    optimizer')]
