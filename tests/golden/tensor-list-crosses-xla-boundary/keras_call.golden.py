"""Keras' own train_step takes the derivative of `call`, and `compile` turns XLA off.

UNSAFE: jit_compile=False may stand there for a reason that cannot be seen.
"""

import tensorflow as tf


class Accumulator(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.rate = self.add_weight(shape=(), initializer="ones", name="rate")

    @tf.function(jit_compile=True)
    def integrate(self, flow):
        level = tf.zeros_like(flow[:, :1])
        for t in tf.range(tf.shape(flow)[1]):
            level = 0.5 * self.rate * level + flow[:, t, None]
        return level

    def call(self, flow):
        return self.integrate(flow)  # want: XLA104 integrate


def train(flow, level):
    model = Accumulator()
    model.compile(loss="mse", optimizer=tf.keras.optimizers.SGD(0.1), jit_compile=True)
    model.fit(flow, level, batch_size=2, epochs=2, shuffle=False, verbose=0)
    return model.rate.value


ENTRY = "train"
BEFORE = "error"
ERROR = "UnimplementedError"  # of the long message only the beginning is kept
SAFETY = "unsafe"  # nothing else speaks against XLA in the model that turns it off
WEAKEN = [("optimizers.SGD(0.1), jit_compile=True", "optimizers.SGD(0.1), jit_compile=False")]


def inputs():
    return [tf.constant([[0.1, 0.5, 0.3], [1.0, -0.3, 0.2]]), tf.constant([[0.2], [0.1]])]
