import tensorflow as tf


class Steps:
    def __init__(self):
        self.all = [tf.Variable(0, dtype=tf.int32)]


steps = Steps()


@tf.function(jit_compile=True)
def count(x):
    for one in steps.all:
        one.assign_add(1)  # want: XLA302 `one` is an int32 variable
    return x + 1.0


ENTRY = "count"


def inputs():
    return (tf.ones([2]),)


REASON = "part of a larger expression"
