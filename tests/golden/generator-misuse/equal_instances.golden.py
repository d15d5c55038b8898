import tensorflow as tf

_stream = tf.random.Generator.from_seed([17])


class DropPath(tf.keras.layers.Layer):
    def __init__(self, rate):
        super().__init__()
        self.rate = rate
        self.rng = _stream.split(1)[0]  # want: XLA202 all of them draw the same numbers

    def call(self, x):
        return x + self.rate * self.rng.uniform(tf.shape(x))


blocks = [DropPath(0.5) for _ in range(3)]


@tf.function(jit_compile=True)
def forward(x):
    return [block(x) for block in blocks]


ENTRY = "forward"
ORACLE = "streams"
REFERENCE = "eager"
BEFORE = "wrong"
SAFETY = "unsafe"  # no two of the objects are meant to draw the same numbers
RESEED = ("from_seed(17)", "from_seed(18)")
WEAKEN = [("_stream.split(1)[0]", "tf.random.Generator.from_seed([17])")]


def inputs():
    return [tf.zeros([32])]
