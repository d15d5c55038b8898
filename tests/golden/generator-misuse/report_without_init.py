import tensorflow as tf


class Noise(tf.Module):
    @tf.function(jit_compile=True)
    def __call__(self, x):
        rng = tf.random.Generator.from_seed(1)  # want: XLA202 makes a variable
        return x + rng.normal(tf.shape(x))


noise = Noise()


def run(x):
    return noise(x)


ENTRY = "run"
REFERENCE = "random"
BEFORE = "error"
ERROR = "singleton tf.Variables"
REASON = "no `__init__` of its own"


def inputs():
    return [tf.zeros([4])]
