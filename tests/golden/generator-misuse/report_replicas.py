import tensorflow as tf

strategy = tf.distribute.OneDeviceStrategy("/cpu:0")


@tf.function(jit_compile=True)
def noisy(x):
    rng = tf.random.Generator.from_seed(1)  # want: XLA202 makes a variable
    return x + rng.normal(tf.shape(x))


def run(x):
    return strategy.run(noisy, args=(x,))


ENTRY = "run"
ORACLE = "streams"
REFERENCE = "eager"
BEFORE = "error"
ERROR = "tf.Variable"
REASON = "with replicas"


def inputs():
    return [tf.zeros([4])]
