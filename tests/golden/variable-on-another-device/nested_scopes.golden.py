import tensorflow as tf

with tf.device("/CPU:1"):
    with tf.name_scope("inner"), tf.device("/job:localhost"):
        scale = tf.Variable([1.0, 2.0, 3.0])


@tf.function(jit_compile=True)
def step(x):
    return x * scale  # want: XLA301 `scale` lives on /CPU:1


@tf.function(jit_compile=True)
def run_twice(x):
    return step(x) + step(x)


def run(x):
    with tf.device("/CPU:1"):
        return run_twice(x)


ENTRY = "run"


def inputs():
    return (tf.ones([3]),)


BEFORE = "error"
ERROR = "Trying to access resource"
DEVICES = 2
WEAKEN = [('    with tf.device("/CPU:1"):\n        return', '    if True:\n        return')]
