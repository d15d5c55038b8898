import tensorflow as tf

with tf.device("/CPU:1"):
    scale = tf.Variable([1.0, 2.0, 3.0])


@tf.function(jit_compile=True)
def step(x):
    return x * scale  # want: XLA301 is called under several device scopes


def run(x):
    results = []
    for name in ("/CPU:1", "/CPU:0"):
        with tf.device(name):
            results.append(step(x))
    return results


ENTRY = "run"


def inputs():
    return (tf.ones([3]),)


BEFORE = "error"
ERROR = "Trying to access resource"
REASON = "under several device scopes"
DEVICES = 2
