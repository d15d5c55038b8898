"""TensorFlow 1 has no stateless image ops of its own."""

import tensorflow.compat.v1 as tf

tf.enable_v2_behavior()
tf.random.set_random_seed(71)


@tf.function(jit_compile=True)
def augment(image):
    return tf.image.random_flip_left_right(image)  # want: XLA201 random_flip_left_right


ENTRY = "augment"
BEFORE = "wrong"
RESEED = ('set_random_seed(71)', 'set_random_seed(74)')
WEAKEN = [('seed=_rng.uniform_full_int([2], dtype=tf.int32)', 'seed=tf.constant([1, 2])')]
ORACLE = "random"


def inputs():
    return [tf.reshape(tf.range(48.0), [4, 4, 3])]
