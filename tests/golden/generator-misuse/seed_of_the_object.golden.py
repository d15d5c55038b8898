import tensorflow as tf


class Meter(tf.Module):
    """Two kinds of noise."""

    def __init__(self, noise, seed):
        super().__init__()
        self.seed = seed
        self._stream2 = tf.random.Generator.from_seed([self.seed, 1])
        self._stream = tf.random.Generator.from_seed([self.seed])
        self.noise = noise

    def offset(self, x):
        return self._stream.normal(tf.shape(x))  # want: XLA202 makes a variable

    @tf.function(jit_compile=True)
    def __call__(self, x):
        generators = [self._stream2]  # want: XLA202 makes a variable
        return x + self.noise * generators[0].normal(tf.shape(x)), self.offset(x)


meter = Meter(0.5, 3)


def measure(x):
    return meter(x)


ENTRY = "measure"
ORACLE = "streams"
REFERENCE = "eager"
BEFORE = "error"
ERROR = "singleton tf.Variables"
SAFETY = "unsafe"  # the numbers go on from call to call; checkpoints get an entry more
RESEED = ("Meter(0.5, 3)", "Meter(0.5, 4)")
WEAKEN = [("[self._stream2]", "[tf.random.Generator.from_seed([self.seed, 1])]")]


def inputs():
    return [tf.zeros([2, 3])]


def more_inputs():
    return [[tf.zeros([2, 3])]]
