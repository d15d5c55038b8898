import tensorflow as tf

strategy = tf.distribute.OneDeviceStrategy("/CPU:1")
mirrored = tf.distribute.MirroredStrategy(["/CPU:0", "/CPU:1"])
with strategy.scope():
    scale = tf.Variable([1.0, 2.0, 3.0])
with mirrored.scope():
    shift = tf.Variable([1.0, 2.0, 3.0])


@tf.function(jit_compile=True)
def step(x):
    return x * scale


@tf.function(jit_compile=True)
def other_step(x):
    return x + shift


def replica(x):
    return other_step(x)


def inner(x):
    return step(x)


@tf.function
def run(x):
    shifted = mirrored.experimental_local_results(mirrored.run(replica, args=(x,)))
    return strategy.run(step, args=(x,)), strategy.run(inner, args=(x,)), shifted


ENTRY = "run"


def inputs():
    return (tf.ones([3]),)


DEVICES = 2
