import tensorflow as tf

SEED = 4
_rng = None


def _generator():
    """The random generator of this module, made when it is first needed."""
    global _rng
    if _rng is None:
        with tf.init_scope():
            _rng = tf.random.Generator.from_seed([SEED])
    return _rng


class Grain(tf.Module):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self._rng = _generator().split(1)[0]

    def __call__(self, x):
        return x + self._rng.normal(tf.shape(x))  # want: XLA201 normal


def gain(x):
    return x * _generator().uniform([6, 1], 0.5, 1.5)  # want: XLA201 uniform
