import tensorflow as tf

with tf.device("/CPU:1"):
    total = tf.Variable(0.0)


@tf.function(jit_compile=True)
def accumulate(x):
    return total.assign_add(tf.reduce_sum(x))  # want: XLA301 `total` lives on /CPU:1, .* is called on /CPU:0


def run(x):
    with tf.device("/CPU:0"):
        return accumulate(x)


ENTRY = "run"


def inputs():
    return (tf.ones([3]),)


BEFORE = "error"
ERROR = "Trying to access resource"
SAFETY = "manual"
CHOOSE = ["XLA301", "wrap-call"]
DEVICES = 2
WEAKEN = [('with tf.device("/CPU:1"):\n            return', 'if True:\n            return')]
