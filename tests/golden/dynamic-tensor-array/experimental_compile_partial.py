"""The root is a partial of tf.function in the old spelling; the trip count is a dataclass default."""

import functools
from dataclasses import dataclass

import tensorflow as tf

xla = functools.partial(tf.function, experimental_compile=True)


@dataclass(frozen=True)
class Settings:
    steps: int = 3


SETTINGS = Settings()


@xla
def roll_out(x):
    out = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
    for t in tf.range(SETTINGS.steps):
        x = tf.sin(x)
        out = out.write(t, x)
    return out.stack()


ENTRY = "roll_out"
BEFORE = "wrong"
SAFETY = "safe"
WEAKEN = [("size=SETTINGS.steps", "size=SETTINGS.steps - 1")]


def inputs():
    return [tf.constant([1.0, 2.0, 5.0])]


def more_inputs():
    return [[tf.constant(0.0)]]
