import tensorflow as tf

rng = tf.random.Generator.from_seed([70])


@tf.function(jit_compile=True)
def decode(logits):
    seed = rng.uniform_full_int([2], dtype=tf.int32)
    narrow = tf.cast(rng.make_seeds(1)[:, 0], tf.int32)
    one = tf.random.stateless_categorical(logits, 5, seed)
    two = tf.random.stateless_categorical(logits, 5, narrow)
    return one, two, tf.random.stateless_categorical(logits, 5, [1, 2])


ENTRY = "decode"
ORACLE = "streams"
REFERENCE = "eager"


def inputs():
    return [tf.zeros([3, 20])]
