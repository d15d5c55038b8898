"""The module has a generator, and its layers get one that is split off."""

import tensorflow as tf

noise_source = tf.random.Generator.from_seed([171])


class Grain(tf.keras.layers.Layer):
    """Adds noise."""

    scale = 0.5

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self._rng = noise_source.split(1)[0]

    @property
    def wide(self):
        return self.scale > 1.0

    def call(self, x):
        return x + self._rng.normal(tf.shape(x), stddev=self.scale)  # want: XLA201 normal


first, second = Grain(name="first"), Grain()


@tf.function(jit_compile=True)
def apply(x):
    once = first(x)
    return once, once - second(x), noise_source.normal([2])


ENTRY = "apply"
BEFORE = "wrong"
RESEED = ('from_seed([171])', 'from_seed([172])')
SAFETY = "unsafe"  # that checkpoints and other numbers of the generator do not matter
WEAKEN = [('self._rng.normal(tf.shape(x)', 'tf.random.normal(tf.shape(x)'), ('noise_source.split(1)[0]', 'tf.random.Generator.from_seed([1])')]
ORACLE = "random"


def inputs():
    return [tf.zeros([2, 3])]
