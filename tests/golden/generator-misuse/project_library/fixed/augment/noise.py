from tensorflow.random import Generator
import tensorflow as tf

_stream = None


def _get_stream():
    """The random generator of this module, made when it is first needed."""
    global _stream
    if _stream is None:
        with tf.init_scope():
            _stream = Generator.from_seed([8])
    return _stream


class Dropout:
    def __init__(self, rate):
        self.rate = rate
        self.rng = _get_stream().split(1)[0]  # want: XLA202 all of them draw the same numbers

    def __call__(self, x):
        return x + self.rate * self.rng.uniform(tf.shape(x))


_stream2 = None


def _get_stream2():
    """The random generator of this module, made when it is first needed."""
    global _stream2
    if _stream2 is None:
        with tf.init_scope():
            _stream2 = Generator.from_seed([5])
    return _stream2


def jitter(x):
    rng = _get_stream2()  # want: XLA202 makes a variable
    return x + rng.normal(tf.shape(x))
