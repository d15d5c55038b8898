import tensorflow as tf

with tf.device("/CPU:1"):
    total = tf.Variable([0.0, 0.0, 0.0])


@tf.function(jit_compile=True)
def step(x): return total.assign_add(x)  # want: XLA301 `total` lives on /CPU:1


def once(x):
    with tf.device("/CPU:1"):
        return step(x)


def run(x):
    with tf.device("/CPU:1"):
        first = step(x)
    with tf.device("/CPU:1"):
        second = step(first)
    text = """;
;"""  # three
    if text:
        x += 1.0
        with tf.device("/CPU:1"):
            third = step(second);
    else: third = x
    try:
        with tf.device("/CPU:1"):
            fourth = step("""
""" and third)
    finally: text = None
    return first, second, third, fourth, once(x)


ENTRY = "run"


def inputs():
    return (tf.ones([3]),)


BEFORE = "error"
ERROR = "Trying to access resource"
DEVICES = 2
WEAKEN = [('with tf.device("/CPU:1"):\n        second', 'if True:\n        second')]
