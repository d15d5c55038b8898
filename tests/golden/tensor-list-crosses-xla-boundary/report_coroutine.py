"""A coroutine takes the derivative; tf.function cannot wrap it."""

import asyncio

import tensorflow as tf


@tf.function(jit_compile=True)
def settled(w, xs):
    level = tf.constant(0.0)
    for t in tf.range(tf.shape(xs)[0]):
        level = w * level + xs[t]
    return level


async def gradient(w, xs):
    with tf.GradientTape() as tape:
        tape.watch(w)
        loss = tf.square(settled(w, xs))  # want: XLA104 settled
    return tape.gradient(loss, w)


def run(w, xs):
    return asyncio.run(gradient(w, xs))


ENTRY = "run"
BEFORE = "error"
ERROR = "TensorList crossing"
REASON = "coroutine"


def inputs():
    return [tf.constant(0.5), tf.constant([1.0, 2.0, 1.5])]
