import tensorflow as tf

rng = tf.random.Generator.from_seed([1])


@tf.function(jit_compile=True)
def draw(seed, x):
    counts = tf.random.stateless_poisson([3], seed, x)  # want: XLA202 no XLA kernel
    rates = tf.random.stateless_gamma([3], seed=seed, alpha=x)  # want: XLA202 no XLA kernel
    hits = rng.binomial([3], counts=x, probs=[0.5])  # want: XLA202 no XLA kernel
    return counts, rates, hits


ENTRY = "draw"
ORACLE = "streams"
REFERENCE = "eager"
BEFORE = "error"
ERROR = "unsupported operations"
REASON = "outside of the compiled function"


def inputs():
    return [tf.constant([1, 2]), tf.constant([2.0])]
