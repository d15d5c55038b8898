import tensorflow as tf

listed = tf.random.Generator.from_seed([0])
plain = tf.random.Generator.from_seed([5])  # want: XLA202 one stream, 20 numbers apart
far = tf.random.Generator.from_seed([0, 1, 0])


@tf.function(jit_compile=True)
def noisy(x):
    return [x + rng.uniform(tf.shape(x)) for rng in (listed, plain, far)]


ENTRY = "noisy"
ORACLE = "streams"
REFERENCE = "eager"
BEFORE = "wrong"
SAFETY = "unsafe"  # nobody needs the numbers drawn so far
RESEED = ("from_seed(5)", "from_seed(6)")
WEAKEN = [("from_seed([5])", "from_seed([0, 0, 0])")]


def inputs():
    return [tf.zeros([64])]
