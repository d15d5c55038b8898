import os

import tensorflow as tf

with tf.device("/CPU:1"):
    scale = tf.Variable([1.0, 2.0, 3.0])
with tf.device(os.environ.get("SHIFTS", "/CPU:1")):
    shift = tf.Variable([1.0, 2.0, 3.0])


@tf.function(jit_compile=True)
def step(x):
    return x * scale + shift  # want: XLA301 `scale` lives on /CPU:1


def run(x):
    return sum(step(x) for _ in range(2))


ENTRY = "run"


def inputs():
    return (tf.ones([3]),)


BEFORE = "error"
ERROR = "Trying to access resource"
REASON = "where `shift` lives is not known"
DEVICES = 2
