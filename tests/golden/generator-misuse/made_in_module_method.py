import tensorflow as tf


class Sensor(tf.Module):
    def __init__(self, noise, name=None):
        super().__init__(name=name)
        self.noise = noise

    @tf.function(jit_compile=True)
    def __call__(self, x):
        # want: XLA202 makes a variable
        rng = tf.random.Generator.from_seed(11)
        return x + self.noise * rng.normal(tf.shape(x))


sensor = Sensor(0.5)


def measure(x):
    return sensor(x)


ENTRY = "measure"
ORACLE = "streams"
REFERENCE = "eager"
BEFORE = "error"
ERROR = "singleton tf.Variables"
SAFETY = "unsafe"  # the numbers go on from call to call; checkpoints get an entry more
RESEED = ("from_seed(11)", "from_seed(12)")
WEAKEN = [("self._stream.normal", "tf.random.Generator.from_seed([11]).normal")]


def inputs():
    return [tf.zeros([2, 3])]


def more_inputs():
    return [[tf.zeros([2, 3])]]
