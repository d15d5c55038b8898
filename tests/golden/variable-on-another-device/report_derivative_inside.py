import tensorflow as tf

with tf.device("/CPU:1"):
    scale = tf.Variable([1.0, 2.0, 3.0])
shift = tf.Variable([1.0, 2.0, 3.0])


@tf.function(jit_compile=True)
def slope(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(x * scale + shift)  # want: XLA301 `scale` lives on /CPU:1
    return tape.gradient(loss, scale)


def run(x):
    return slope(x)


ENTRY = "run"


def inputs():
    return (tf.ones([3]),)


BEFORE = "error"
ERROR = "Trying to access resource"
REASON = "a derivative is taken in it"
DEVICES = 2
