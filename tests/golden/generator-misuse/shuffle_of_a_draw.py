import tensorflow as tf

rng = tf.random.Generator.from_seed([1])


@tf.function(jit_compile=True)
def draw(seed):
    # want: XLA202 no XLA kernel
    return tf.random.experimental.stateless_shuffle(rng.normal([5]), seed)


ENTRY = "draw"
ORACLE = "streams"
REFERENCE = "eager"
BEFORE = "error"
ERROR = "unsupported operations"
RESEED = ("[1]", "[2]")
WEAKEN = [("unshuffled = rng.normal([5])", "unshuffled = rng.normal([1])")]


def inputs():
    return [tf.constant([1, 2])]
