import tensorflow as tf

with tf.device("/CPU:1"):
    scale = tf.Variable([1.0, 2.0, 3.0])
shift = tf.Variable([1.0, 2.0, 3.0])


@tf.function(jit_compile=True)
def scaled(x):
    return scale.assign_add(x)  # want: XLA301 `scale` lives on /CPU:1


@tf.function(jit_compile=True)
def shifted(x):
    return shift.assign_add(x)


def apply(function, x):
    return function(x)  # cannot move: it runs both


def run(x):
    return apply(shifted, x), apply(scaled, x)


ENTRY = "run"


def inputs():
    return (tf.ones([3]),)


BEFORE = "error"
ERROR = "Trying to access resource"
REASON = "the same call also runs what uses `shift`"
DEVICES = 2
