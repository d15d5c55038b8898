import tensorflow as tf


class Noise(tf.keras.layers.Layer):
    """Adds noise."""

    scale = 2.0

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self._stream = tf.random.Generator.from_seed([1])

    @tf.function(jit_compile=True)
    def call(self, x):
        # want: XLA202 makes a variable
        return x + self.scale * self._stream.normal(tf.shape(x))


noise = Noise()


def run(x):
    return noise(x)


ENTRY = "run"
ORACLE = "streams"
REFERENCE = "eager"
BEFORE = "error"
ERROR = "singleton tf.Variables"
SAFETY = "unsafe"  # the numbers go on from call to call
RESEED = ("from_seed(1)", "from_seed(2)")
WEAKEN = [("        super().__init__(*args, **kwargs)\n        self._stream = ", "        self._stream = ")]


def inputs():
    return [tf.zeros([4])]


def more_inputs():
    return [[tf.zeros([4])]]
