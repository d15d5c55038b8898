import tensorflow as tf

with tf.device("/CPU:1"):
    scale = tf.Variable([1.0, 2.0, 3.0])


@tf.function(jit_compile=True)
def step(x):
    return x * scale  # want: XLA301 runs on the default device .*, unless its caller says otherwise


ENTRY = "step"


def inputs():
    return (tf.ones([3]),)


BEFORE = "error"
ERROR = "Trying to access resource"
REASON = "no call of compiled `step` is in sight"
DEVICES = 2
