import tensorflow as tf

seen = tf.Variable(tf.zeros([2], dtype=tf.int32))


@tf.function(jit_compile=True)
def count(x):
    return seen.assign_add(tf.cast(x, tf.int32))  # want: XLA302 `seen` is an int32 variable


ENTRY = "count"


def inputs():
    return (tf.ones([2]),)


REASON = "may need an int32"
