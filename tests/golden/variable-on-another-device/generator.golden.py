import tensorflow as tf

with tf.device("/CPU:1"):
    noise = tf.random.Generator.from_seed([1])


@tf.function(jit_compile=True)
def noisy(x):
    return tf.shape(x + noise.normal([3]))  # want: XLA301 `noise` lives on /CPU:1


def run(x):
    with tf.device("/CPU:1"):
        return noisy(x)


ENTRY = "run"


def inputs():
    return (tf.ones([3]),)


BEFORE = "error"
ERROR = "Trying to access resource"
DEVICES = 2
WEAKEN = [('    with tf.device("/CPU:1"):\n        return', '    if True:\n        return')]
