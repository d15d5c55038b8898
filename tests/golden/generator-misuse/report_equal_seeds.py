import tensorflow as tf

image_rng = tf.random.Generator.from_seed(9)
label_rng = tf.random.Generator.from_seed(9)  # want: XLA202 the same numbers as the generator made at line 3


@tf.function(jit_compile=True)
def crop(x, y):
    return x + image_rng.uniform(tf.shape(x)), y + label_rng.uniform(tf.shape(y))


ENTRY = "crop"
ORACLE = "streams"
REFERENCE = "eager"
BEFORE = "wrong"
REASON = "may be meant"


def inputs():
    return [tf.zeros([8]), tf.zeros([8])]
