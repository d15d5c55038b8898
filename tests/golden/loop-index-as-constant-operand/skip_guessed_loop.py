"""Only a guess leads to the loop, and what it runs over may be a list: nothing says that it is a tensor loop."""

import tensorflow as tf


class Blocks:
    def __init__(self, gains):
        self.gains = gains

    def applied(self, blocks):
        found = []
        for i, block in enumerate(blocks):
            found.append(self.gains[i] * block)
        return tf.concat(found, 0)


@tf.function(jit_compile=True)
def pair(operators, x):
    blocks = x
    if tf.is_tensor(x):
        blocks = tf.identity(x)
    return operators["main"].applied(blocks)


OPERATORS = dict([("main", Blocks([1.0, 2.0]))])


def both(x):
    return pair(OPERATORS, tf.nest.flatten([x, x]))


ENTRY = "both"


def inputs():
    return [tf.constant([1.0, -2.0])]
