import tensorflow as tf

scale = tf.Variable([1.0, 2.0, 3.0])


@tf.function(jit_compile=True)
def step(x, factor=1.0):
    return x * scale * factor  # want: XLA301 `scale` lives on the default device .*, but .* on /CPU:1


def run(x):
    with tf.device("/CPU:1"):
        return step(x)


ENTRY = "run"


def inputs():
    return (tf.ones([3]),)


BEFORE = "error"
ERROR = "Trying to access resource"
REASON = "has no device scope of its own"
DEVICES = 2
