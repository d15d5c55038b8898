import tensorflow as tf

order = tf.Variable(tf.range(3, dtype=tf.int64))
other = tf.Variable(tf.constant([2, 1, 0], dtype=tf.int64), dtype=tf.int64)


@tf.function(jit_compile=True)
def ordered(x):
    # want: XLA302 `order` is an int32 variable
    # want: XLA302 `other` is an int32 variable
    return tf.gather(x, order) + tf.gather(x, other)


ENTRY = "ordered"


def inputs():
    return (tf.constant([1.0, 2.0, 4.0]),)


SAFETY = "manual"
CHOOSE = ["XLA302", "int64"]
WEAKEN = [("tf.range(3, dtype=tf.int64)", "tf.range(3.0)")]  # no index
