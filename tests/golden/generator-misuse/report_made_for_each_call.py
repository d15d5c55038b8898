import tensorflow as tf


@tf.function(jit_compile=True)
def _noisy(rng, x):
    return x + rng.normal(tf.shape(x))


def step(x):
    rng = tf.random.Generator.from_seed(0)  # want: XLA202 each call of `step`
    return _noisy(rng, x)


ENTRY = "step"
ORACLE = "streams"
REFERENCE = "eager"
BEFORE = "wrong"
REASON = "for you to say"


def inputs():
    return [tf.zeros([8])]


def more_inputs():
    return [[tf.zeros([8])]]
