import os

os.environ["CUDA_VISIBLE_DEVICES"] = "-1"

import tensorflow as tf

with tf.device("/CPU:0"):
    scale = tf.Variable([1.0, 2.0, 3.0])


@tf.function(jit_compile=True)
def step(x):
    return x * scale


def run(x):
    return step(x)


ENTRY = "run"


def inputs():
    return (tf.ones([3]),)


DEVICES = 2
