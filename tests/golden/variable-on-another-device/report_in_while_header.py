import tensorflow as tf

with tf.device("/CPU:1"):
    total = tf.Variable(0.0)


@tf.function(jit_compile=True)
def step(x):
    return total.assign_add(x)  # want: XLA301 `total` lives on /CPU:1


def run(x):
    while step(x) < 4.0:
        x += 1.0
    if x < 0.0:
        return x
    elif step(x) > 2.0:
        return x + 1.0
    return x


ENTRY = "run"


def inputs():
    return (tf.ones([]),)


BEFORE = "error"
ERROR = "Trying to access resource"
REASON = "part of a larger statement"
DEVICES = 2
