import contextlib
import functools

import tensorflow as tf


def on(device):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args):
            with tf.device(device):
                return function(*args)

        return wrapper

    return decorate


with tf.device("/CPU:1"):
    scale = tf.Variable([1.0, 2.0, 3.0])


@tf.function(jit_compile=True)
def step(x):
    return x * scale


@on("/CPU:1")
@tf.function(jit_compile=True)
def other_step(x):
    return x + scale


@on("/CPU:1")
def decorated(x):
    return step(x)


def entered(x):
    with contextlib.ExitStack() as stack:
        stack.enter_context(tf.device("/CPU:1"))
        return step(x)


def run(x):
    return decorated(x), entered(x), other_step(x)


ENTRY = "run"


def inputs():
    return (tf.ones([3]),)


DEVICES = 2
