import tensorflow as tf

rng = tf.random.Generator.from_seed([1])


@tf.function(jit_compile=True)
def draw(x):
    child = rng.split(1)[0]  # want: XLA202 no XLA kernel
    return x + child.normal(tf.shape(x))


ENTRY = "draw"
ORACLE = "streams"
REFERENCE = "eager"
BEFORE = "error"
ERROR = "lift variable creations"
REASON = "split outside"


def inputs():
    return [tf.zeros([3])]
