import tensorflow as tf

with tf.device("/CPU:1"): scale = tf.Variable([1.0, 2.0, 3.0])  # on its line
with tf.name_scope("bias"), tf.device("/CPU:1"):
    bias = tf.Variable([1.0, 2.0, 3.0])


@tf.function(jit_compile=True)
def step(x):
    # want: XLA301 `scale`
    # want: XLA301 `bias`
    return x * scale + bias


ENTRY = "step"


def inputs():
    return (tf.ones([3]),)


BEFORE = "error"
ERROR = "Trying to access resource"
SAFETY = "manual"
CHOOSE = ["XLA301", "drop-device-scope"]
DEVICES = 2
WEAKEN = [('tf.device(None)', 'tf.device("/CPU:1")')]
