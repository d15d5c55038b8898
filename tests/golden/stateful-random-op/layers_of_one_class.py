"""Two layers of one class must draw different numbers, so each splits a generator off."""

import tensorflow as tf

tf.random.set_seed(181)


class Drop(tf.Module):
    def __init__(self, rate):
        """Keep the rate."""
        super().__init__()
        self.rate = rate

    def __call__(self, x):
        return tf.nn.dropout(x, self.rate, [4, 1])  # want: XLA201 dropout


class DropMore(Drop):
    def __init__(self, rate):
        super().__init__(rate * 1.5)


blocks = [Drop(0.4), DropMore(0.2)]


@tf.function(jit_compile=True)
def thinned(x):
    once = blocks[0](x)
    return once, once - blocks[1](x)


ENTRY = "thinned"
BEFORE = "wrong"
RESEED = ('set_seed(181)', 'set_seed(182)')
SAFETY = "unsafe"  # that checkpoints do not matter
WEAKEN = [('_rng.split(1)[0]', 'tf.random.Generator.from_seed([1])'), ('noise_shape=[4, 1]', 'noise_shape=[4, 3]')]
ORACLE = "random"


def inputs():
    return [tf.ones([4, 3])]
