"""One image op inside of another: each gets a seed of its own."""

import tensorflow as tf

tf.random.set_seed(61)
_rng = tf.random.Generator.from_seed([61])


@tf.function(jit_compile=True)
def augment(batch):
    batch = tf.image.stateless_random_brightness(  # want: XLA201 random_brightness
        tf.image.stateless_random_flip_left_right(batch, seed=_rng.uniform_full_int([2], dtype=tf.int32)), 0.2, seed=_rng.uniform_full_int([2], dtype=tf.int32))  # want: XLA201 random_flip_left_right
    batch = tf.image.stateless_random_contrast(batch, 0.5, upper=1.5, seed=_rng.uniform_full_int([2], dtype=tf.int32))  # want: XLA201 random_contrast
    batch = tf.image.stateless_random_saturation(batch, lower=0.8, upper=1.2, seed=_rng.uniform_full_int([2], dtype=tf.int32))  # want: XLA201 random_saturation
    return tf.image.stateless_random_hue(tf.image.stateless_random_flip_up_down(batch, seed=_rng.uniform_full_int([2], dtype=tf.int32)), 0.05, seed=_rng.uniform_full_int([2], dtype=tf.int32))  # want: XLA201 hue  # want: XLA201 up_down


ENTRY = "augment"
BEFORE = "wrong"
RESEED = ('set_seed(61)', 'set_seed(62)')
WEAKEN = [('from_seed([', 'from_seed([0] or ['), ('0.2, seed=_rng.uniform_full_int([2], dtype=tf.int32)', '0.2, seed=tf.constant([1, 2])')]
ORACLE = "random"


def inputs():
    return [tf.reshape(tf.linspace(0.0, 1.0, 216), [2, 6, 6, 3])]
