"""The flat functions of TensorFlow 1, among them a crop that has moved."""

import tensorflow.compat.v1 as tf

tf.enable_v2_behavior()
tf.set_random_seed(31)


@tf.function(jit_compile=True)
def sample(image, logits):
    part = tf.random_crop(image, [4, 4, 3], seed=2)  # want: XLA201 random_crop
    part = part + tf.random_normal([4, 4, 3], stddev=0.1)  # want: XLA201 random_normal
    part = part * tf.random_uniform([4, 4, 1], 0.5, 1.5)  # want: XLA201 random_uniform
    kinds = tf.multinomial(logits, 6, None, "kinds", tf.int32)  # want: XLA201 multinomial
    return part + tf.truncated_normal([3]), kinds  # want: XLA201 truncated_normal


ENTRY = "sample"
BEFORE = "wrong"
RESEED = ('set_random_seed(31)', 'set_random_seed(32)')
WEAKEN = [('from_seed([', 'from_seed([0] or ['), ('_rng.truncated_normal([3])', '0.0')]
ORACLE = "random"


def inputs():
    return [tf.reshape(tf.range(147.0), [7, 7, 3]) / 147.0, tf.zeros([2, 5])]
