import tensorflow as tf
from tensorflow.random.experimental import stateless_shuffle

SEED = [3, 4]


@tf.function(jit_compile=True)
def permute(x, y):
    rows = tf.gather(x, tf.argsort(tf.random.stateless_uniform(tf.shape(x)[:1], seed=SEED, minval=None, maxval=None, dtype=tf.int32, alg="philox"), stable=True))  # want: XLA202 no XLA kernel
    # want: XLA202 no XLA kernel
    labels = tf.gather(y, tf.argsort(tf.random.stateless_uniform(tf.shape(y)[:1], seed=SEED, minval=None, maxval=None, dtype=tf.int32), stable=True), name="labels")
    return rows, labels, tf.sort(labels)


ENTRY = "permute"
ORACLE = "streams"
REFERENCE = "eager"
BEFORE = "error"
ERROR = "unsupported operations"
RESEED = ("[3, 4]", "[3, 5]")
WEAKEN = [
    ("tf.shape(x)[:1], seed=SEED", "tf.shape(x)[:2], seed=SEED"),
    ("tf.gather(y, ", "tf.random.experimental.stateless_shuffle(y, SEED) + 0 * tf.gather(y, "),
]


def inputs():
    return [tf.reshape(tf.range(60), [30, 2]), tf.range(30)]
