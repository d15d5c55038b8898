import tensorflow as tf

with tf.device("/CPU:1"):
    total = tf.Variable(0.0)


@tf.function(jit_compile=True)
def accumulate(x):
    return total.assign_add(tf.reduce_sum(x))  # want: XLA301 `total` lives on /CPU:1


def sums(x):
    for _ in range(2):
        yield accumulate(x)


def run(x):
    return list(sums(x))


ENTRY = "run"


def inputs():
    return (tf.ones([3]),)


BEFORE = "error"
ERROR = "Trying to access resource"
REASON = "waits for other code"
DEVICES = 2
