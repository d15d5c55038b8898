import tensorflow as tf

with tf.device("/CPU:1"):
    weights = tf.Variable([1.0, 2.0, 3.0])


def scaled(x, by):
    with tf.device("/CPU:1"):  # has no effect in compiled code
        return x * by  # want: XLA301 `by` lives on /CPU:1


step = tf.function(scaled, jit_compile=True)


@tf.function
def run(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(step(x, by=weights))
    return loss, tape.gradient(loss, weights)


ENTRY = "run"


def inputs():
    return (tf.ones([3]),)


BEFORE = "error"
ERROR = "Trying to access resource"
DEVICES = 2
WEAKEN = [('        with tf.device("/CPU:1"):\n            loss', '        if True:\n            loss')]
