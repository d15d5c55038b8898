import tensorflow as tf

with tf.device("/CPU:0"):
    count = tf.Variable(0.0)
with tf.device("/CPU:1"):
    total = tf.Variable(0.0)


@tf.function(jit_compile=True)
def accumulate(x):
    count.assign_add(1.0)  # want: XLA301 `count` lives on /CPU:0
    total.assign_add(tf.reduce_sum(x))  # want: XLA301 `total` lives on /CPU:1
    return total / count


def run(x):
    return accumulate(x)


ENTRY = "run"


def inputs():
    return (tf.ones([3]),)


BEFORE = "error"
ERROR = "Trying to access resource"
REASON = "also uses `total`, which lives on /CPU:1"
DEVICES = 2
