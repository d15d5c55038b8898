import tensorflow as tf

SEED = 7
SHIFT = 0.5


def shift(x):
    # want: XLA202 makes a variable
    rng = tf.random.Generator.from_seed(SEED)
    return x + SHIFT * rng.normal(tf.shape(x))


def scale(x):
    # want: XLA202 makes a variable
    source = tf.random.Generator.from_seed(SEED)
    return x * source.uniform(tf.shape(x))


def flip(x):
    # want: XLA202 makes a variable
    other = tf.random.Generator.from_seed(SEED + 100)
    return x - other.uniform(tf.shape(x))


@tf.function(jit_compile=True)
def augment(x):
    return shift(x), scale(x), flip(x)


ENTRY = "augment"
ORACLE = "streams"
REFERENCE = "eager"
BEFORE = "error"
ERROR = "singleton tf.Variables"
SAFETY = "unsafe"  # the numbers go on from call to call
RESEED = ("SEED = 7", "SEED = 8")
WEAKEN = [("x * _stream.uniform", "x * tf.random.Generator.from_seed([SEED]).uniform")]


def inputs():
    return [tf.ones([5])]


def more_inputs():
    return [[tf.ones([5])]]
