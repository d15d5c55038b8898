import tensorflow as tf


@tf.function(jit_compile=True)
def noisy(x, seed):
    rng = tf.random.Generator.from_seed(seed)  # want: XLA202 makes a variable
    return x + rng.normal(tf.shape(x))


ENTRY = "noisy"
ORACLE = "streams"
REFERENCE = "eager"
BEFORE = "error"
ERROR = "tf.Variable"
REASON = "`seed`, which only the function has"


def inputs():
    return [tf.zeros([8]), 3]
