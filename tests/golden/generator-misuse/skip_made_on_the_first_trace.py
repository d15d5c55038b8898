import tensorflow as tf


class Noise(tf.Module):
    def __init__(self):
        super().__init__()
        self.rng = None

    @tf.function(jit_compile=True)
    def __call__(self, x):
        if self.rng is None:
            self.rng = tf.random.Generator.from_seed(1)
        return x + self.rng.normal(tf.shape(x))


noise = Noise()


def run(x):
    return noise(x)


ENTRY = "run"
ORACLE = "streams"
REFERENCE = "eager"


def inputs():
    return [tf.zeros([4])]


def more_inputs():
    return [[tf.zeros([4])]]
