import tensorflow as tf

with tf.device("/CPU:1"):
    total = tf.Variable(0.0)


@tf.function(jit_compile=True)
def accumulate(x):
    total.assign_add(tf.reduce_sum(x))  # want: XLA301 `total` lives on /CPU:1, but compiled `accumulate` is called
    return total.read_value()


def run(x):
    with tf.device("/CPU:1"):
        return accumulate(x)


ENTRY = "run"


def inputs():
    return (tf.ones([3]),)


BEFORE = "error"
ERROR = "Trying to access resource"
DEVICES = 2
WEAKEN = [('    with tf.device("/CPU:1"):', '    with tf.device("/CPU:0"):')]
