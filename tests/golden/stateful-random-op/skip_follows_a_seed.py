"""Stateless ops, and the layers and functions of Keras, follow their seeds."""

import tensorflow as tf

tf.keras.utils.set_random_seed(1)
thin = tf.keras.layers.Dropout(0.5, seed=3)
dice = tf.random.Generator.from_seed([4])
seeds = tf.keras.random.SeedGenerator(5)


@tf.function(jit_compile=True)
def draws(x):
    x = thin(x, training=True) + dice.normal([4])
    x = x + tf.keras.random.normal([4], seed=seeds)
    return x + tf.random.stateless_uniform([4], seed=tf.constant([1, 2]))


ENTRY = "draws"
ORACLE = "random"


def inputs():
    return [tf.ones([4])]
