"""The loop with the derivative belongs to a data pipeline, which XLA does not compile."""

import tensorflow as tf


def adversarial(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.while_loop(lambda k, y: k < 3, lambda k, y: (k + 1, tf.sin(y)), (0, x))[1]
    return x + 0.1 * tape.gradient(y, x)


@tf.function(jit_compile=True)
def score(x):
    return tf.reduce_sum(x)


def run(x):
    data = tf.data.Dataset.from_tensors(x).map(adversarial)
    return [score(one) for one in data]


ENTRY = "run"


def inputs():
    return [tf.constant([0.5, 1.5])]
