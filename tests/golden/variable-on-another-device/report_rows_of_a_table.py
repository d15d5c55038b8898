import tensorflow as tf

with tf.device("/CPU:0"):
    out = tf.Variable([[1.0], [2.0]])
with tf.device("/CPU:1"):
    table = tf.Variable(tf.reshape(tf.range(8.0), [4, 2]))


@tf.function(jit_compile=True)
def scores(ids):
    # want: XLA301 `table` lives on /CPU:1
    # want: XLA301 `out` lives on /CPU:0
    return tf.nn.embedding_lookup(table, ids) @ out


def run(ids):
    return scores(ids)


ENTRY = "run"


def inputs():
    return (tf.constant([1, 3]),)


BEFORE = "error"
ERROR = "Trying to access resource"
REASON = "gather outside: do `tf.nn.embedding_lookup.table, ids.` where XLA does not compile"
DEVICES = 2
