import tensorflow as tf

total = tf.Variable(0.0)
step = tf.Variable(0, dtype=tf.int64)
order = tf.Variable([2, 1, 0])  # not in compiled code


@tf.function(jit_compile=True)
def rate(x):
    step.assign_add(1)
    total.assign_add(tf.reduce_sum(x))
    return tf.cast(step, tf.float32) * total


def run(x):
    return rate(tf.gather(x, order))


ENTRY = "run"


def inputs():
    return (tf.ones([3]),)
