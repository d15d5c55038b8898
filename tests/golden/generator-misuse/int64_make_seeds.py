import tensorflow as tf

rng = tf.random.Generator.from_seed([70])


@tf.function(jit_compile=True)
def decode(logits):
    seeds = rng.make_seeds(2)
    first = tf.random.stateless_categorical(logits, 5, seeds[:, 0])  # want: XLA202 int64 seed
    for seed in tf.unstack(seeds, axis=1)[1:]:
        # want: XLA202 int64 seed
        second = tf.random.stateless_categorical(logits, num_samples=5, dtype=tf.int32, seed=seed)
    return first, second


ENTRY = "decode"
ORACLE = "streams"
REFERENCE = "eager"
BEFORE = "error"
ERROR = "unsupported operations"
RESEED = ("[70]", "[71]")
WEAKEN = [("tf.cast(seed, tf.int32)", "seed"), ("tf.cast(seeds[:, 0], tf.int32)", "seeds[:, 0]")]


def inputs():
    return [tf.zeros([3, 20])]
