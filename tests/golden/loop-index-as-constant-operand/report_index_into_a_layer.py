"""A Keras layer takes tensors only, so the index that it gets must stay one."""

import tensorflow as tf
import keras

class Block(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.scale = 0.5
    def call(self, x, step):
        return x * (1.0 + self.scale * tf.cast(step, tf.float32))

class Model(keras.Model):
    def __init__(self):
        super().__init__()
        self.block = Block()
    @tf.function(jit_compile=True)
    def summarize(self, x):
        total = tf.zeros([])
        for i in tf.range(3):  # want: XLA101
            h = self.block(x, i)
            total += tf.reduce_max(tf.reduce_sum(h, axis=i))
        return total

def run():
    m = Model()
    return m.summarize(tf.reshape(tf.range(24.0), [2, 3, 4]))


ENTRY = "run"
BEFORE = "error"
ERROR = "must be a compile-time constant"
REASON = r"layer|block|may need"


def inputs():
    return []
