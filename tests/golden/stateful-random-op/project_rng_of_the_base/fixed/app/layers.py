import tensorflow as tf

from app.base import Base

tf.random.set_seed(7)
_rng = tf.random.Generator.from_seed([7])


class Noisy(Base):
    def __init__(self):
        super().__init__()
        self._rng2 = _rng.split(1)[0]
        self.order = self.sizes()

    @tf.function(jit_compile=True)
    def __call__(self, x):
        return x + self._rng2.normal(tf.shape(x))  # want: XLA201 normal


noisy = Noisy()


def run(x):
    return noisy(x), tf.constant(sorted(noisy.sizes()))
