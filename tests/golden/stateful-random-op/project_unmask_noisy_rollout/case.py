"""Compiling the outer function alone would expose that its noise ignores the seed."""

import tensorflow as tf

ENTRY = "robot.train:run"
BEFORE = "error"
ERROR = "TensorList crossing"
SAFETY = "unsafe"  # that the random numbers of the outer function may be others
ORACLE = "random"
STAGES = ["XLA104"]
RESEED = ("robot/train.py", "set_seed(6)", "set_seed(7)")
WEAKEN = [
    ("robot/train.py", "_rng.normal", "tf.random.normal"),
    ("robot/train.py", "@tf.function(jit_compile=True)", "@tf.function"),
]


def inputs():
    return [tf.constant([0.5, 1.0, -1.0, 2.0]), tf.constant(0.4)]
