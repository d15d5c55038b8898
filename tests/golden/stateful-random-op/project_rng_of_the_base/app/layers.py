import tensorflow as tf

from app.base import Base

tf.random.set_seed(7)


class Noisy(Base):
    def __init__(self):
        super().__init__()
        self.order = self.sizes()

    @tf.function(jit_compile=True)
    def __call__(self, x):
        return x + tf.random.normal(tf.shape(x))  # want: XLA201 normal


noisy = Noisy()


def run(x):
    return noisy(x), tf.constant(sorted(noisy.sizes()))
