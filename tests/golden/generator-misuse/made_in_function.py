import tensorflow as tf


@tf.function(jit_compile=True)
def jitter(x):
    # want: XLA202 makes a variable
    rng = tf.random.Generator.from_seed(5)
    scale = rng.uniform([])
    return x * scale + rng.normal(tf.shape(x))


ENTRY = "jitter"
ORACLE = "streams"
REFERENCE = "eager"
BEFORE = "error"
ERROR = "singleton tf.Variables"
SAFETY = "unsafe"  # the numbers go on from call to call
RESEED = ("from_seed(5)", "from_seed(6)")
WEAKEN = [("_stream.normal(tf.shape(x))", "tf.random.Generator.from_seed([5]).normal(tf.shape(x))")]


def inputs():
    return [tf.zeros([7])]


def more_inputs():
    return [[tf.zeros([7])], [tf.zeros([3])]]
