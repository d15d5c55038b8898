import tensorflow as tf

count = tf.Variable(1.0)
with tf.device("/CPU:1"):
    total = tf.Variable(0.0)


@tf.function(jit_compile=True)
def accumulate(x):
    return tf.reduce_sum(x) * total.assign_add(count)  # want: XLA301 `total` lives on /CPU:1


def run(x):
    return accumulate(x)


ENTRY = "run"


def inputs():
    return (tf.ones([3]),)


BEFORE = "error"
ERROR = "Trying to access resource"
REASON = "`total` is written"
DEVICES = 2
