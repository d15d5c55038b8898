import tensorflow as tf

rng = tf.random.Generator.from_seed([1])


@tf.function(jit_compile=True)
def draw(seed):
    # want: XLA202 no XLA kernel
    unshuffled = rng.normal([5])
    return tf.gather(unshuffled, tf.argsort(tf.random.stateless_uniform(tf.shape(unshuffled)[:1], seed=seed, minval=None, maxval=None, dtype=tf.int32), stable=True))


ENTRY = "draw"
ORACLE = "streams"
REFERENCE = "eager"
BEFORE = "error"
ERROR = "unsupported operations"
RESEED = ("[1]", "[2]")
WEAKEN = [("unshuffled = rng.normal([5])", "unshuffled = rng.normal([1])")]


def inputs():
    return [tf.constant([1, 2])]
