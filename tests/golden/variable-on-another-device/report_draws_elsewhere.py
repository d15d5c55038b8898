import tensorflow as tf

with tf.device("/CPU:0"):
    shift = tf.Variable([1.0, 2.0, 3.0])
with tf.device("/CPU:1"):
    noise = tf.random.Generator.from_seed([1])


@tf.function(jit_compile=True)
def noisy(x):
    # want: XLA301 `shift` lives on /CPU:0
    # want: XLA301 `noise` lives on /CPU:1
    return tf.shape(x + shift + noise.normal([3]))


def run(x):
    return noisy(x)


ENTRY = "run"


def inputs():
    return (tf.ones([3]),)


BEFORE = "error"
ERROR = "Trying to access resource"
REASON = "draw outside: pass `noise.make_seeds.* in"
DEVICES = 2
