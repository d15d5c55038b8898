import tensorflow as tf


class Noise(tf.Module):
    def __init__(self, seed):
        super().__init__()
        self.rng = tf.random.Generator.from_seed([seed])  # want: XLA202 one stream, 8 numbers apart

    def __call__(self, x):
        return x + self.rng.normal(tf.shape(x))


first, second = Noise(10), Noise(seed=12)


@tf.function(jit_compile=True)
def forward(x):
    return first(x), second(x)


ENTRY = "forward"
ORACLE = "streams"
REFERENCE = "eager"
BEFORE = "wrong"
SAFETY = "unsafe"  # nobody needs the numbers drawn so far
RESEED = ("Noise(10)", "Noise(20)")
WEAKEN = [("[seed]", "seed")]


def inputs():
    return [tf.zeros([64])]
