import tensorflow as tf
from tensorflow.random import Generator


class Noise(tf.keras.layers.Layer):
    """Adds noise."""

    def __init__(self, stddev, **kwargs):
        super().__init__(**kwargs)
        self._stream = Generator.from_seed([3])
        self.stddev = stddev

    def call(self, x):
        return x + self._stream.normal(tf.shape(x), stddev=self.stddev)  # want: XLA202 makes a variable


layer = Noise(0.1)


@tf.function(jit_compile=True)
def forward(x):
    return layer(x)


ENTRY = "forward"
ORACLE = "streams"
REFERENCE = "eager"
BEFORE = "error"
ERROR = "singleton tf.Variables"
SAFETY = "unsafe"  # the numbers go on from call to call; checkpoints get an entry more
RESEED = ("from_seed(3)", "from_seed(4)")
WEAKEN = [("self._stream.normal", "Generator.from_seed([3]).normal")]


def inputs():
    return [tf.zeros([2, 3])]


def more_inputs():
    return [[tf.zeros([2, 3])]]
