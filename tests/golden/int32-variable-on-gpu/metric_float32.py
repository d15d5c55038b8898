import keras
import tensorflow as tf


class Hits(keras.metrics.Metric):
    def __init__(self):
        super().__init__(name="hits")
        self.count = self.add_weight(name="count", shape=(), initializer="zeros", dtype="int32")

    def update_state(self, x):
        self.count.assign_add(1)  # want: XLA302 `self.count` is an int32 variable

    def result(self):
        return tf.cast(self.count, tf.float32)


hits = Hits()


@tf.function(jit_compile=True)
def step(x):
    hits.update_state(x)
    return hits.result() + x


ENTRY = "step"


def inputs():
    return (tf.ones([2]),)


SAFETY = "manual"
CHOOSE = ["XLA302", "float32"]
WEAKEN = [('dtype="float32"', 'dtype="string"')]
