import tensorflow as tf

step = tf.Variable(0, dtype=tf.int64)
rates = tf.constant([0.5, 0.25, 0.125])


@tf.function(jit_compile=True)
def rate(x):
    step.assign_add(1)  # want: XLA302 `step` is an int32 variable
    return tf.gather(rates, step % 3) * x


ENTRY = "rate"


def inputs():
    return (tf.ones([2]),)


SAFETY = "manual"
CHOOSE = ["XLA302", "int64"]
WEAKEN = [("dtype=tf.int64", "dtype=tf.float32")]  # no index
