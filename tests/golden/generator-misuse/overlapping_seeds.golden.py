import tensorflow as tf

mask_rng = tf.random.Generator.from_seed([1])  # want: XLA202 one stream, 4 numbers apart
noise_rng = tf.random.Generator.from_seed([2])  # want: XLA202 one stream, 4 numbers apart


@tf.function(jit_compile=True)
def corrupt(x):
    return x + mask_rng.uniform(tf.shape(x)), x + noise_rng.uniform(tf.shape(x))


ENTRY = "corrupt"
ORACLE = "streams"
REFERENCE = "eager"
BEFORE = "wrong"
SAFETY = "unsafe"  # nobody needs the numbers drawn so far
RESEED = ("from_seed(2)", "from_seed(3)")
WEAKEN = [("from_seed([1])", "from_seed([2])")]


def inputs():
    return [tf.zeros([64])]
