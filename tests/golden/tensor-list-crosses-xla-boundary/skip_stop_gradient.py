"""The compiled simulation only gives the target: its derivative is stopped, or the tape pauses."""

import tensorflow as tf


@tf.function(jit_compile=True)
def target(x):
    for _ in tf.range(3):
        x = 0.5 * x + tf.sin(x)
    return x


@tf.function
def stopped(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        loss = tf.reduce_sum(tf.square(x - tf.stop_gradient(target(x))))
    return tape.gradient(loss, x)


@tf.function
def paused(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        with tape.stop_recording():
            goal = target(x)
        loss = tf.reduce_sum(tf.square(x - goal))
    return tape.gradient(loss, x)


@tf.function
def before(x):
    goal = target(x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        loss = tf.reduce_sum(tf.square(x - goal))
    return tape.gradient(loss, x)


def all_of_them(x):
    return stopped(x), paused(x), before(x)


ENTRY = "all_of_them"


def inputs():
    return [tf.constant([1.0, 2.0])]
