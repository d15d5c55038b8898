"""A Keras model with a train_step of its own; `compile` says nothing about XLA.

SAFE: everything that `compile` gets is Keras' own, and the step is in sight.
"""

import tensorflow as tf


class Tracker(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.gain = self.add_weight(shape=(), initializer="ones", name="gain")

    @tf.function(jit_compile=True)
    def track(self, series):
        estimate = tf.zeros_like(series[:, 0])
        for t in tf.range(tf.shape(series)[1]):
            estimate = estimate + 0.3 * self.gain * (series[:, t] - estimate)
        return estimate

    def call(self, series):
        return self.track(series)

    def train_step(self, data):
        series, target = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self(series, training=True) - target))  # want: XLA104 track
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return {"loss": loss}


def train(series, target):
    model = Tracker()
    model.compile(optimizer=tf.keras.optimizers.SGD(0.5), jit_compile=True)
    history = model.fit(series, target, batch_size=2, epochs=2, shuffle=False, verbose=0)
    return history.history["loss"], model.gain.value


ENTRY = "train"
BEFORE = "error"
ERROR = "UnimplementedError"  # of the long message only the beginning is kept
WEAKEN = [("jit_compile=True)\n    history", "jit_compile=False)\n    history")]


def inputs():
    return [tf.constant([[0.1, 0.5, 0.3], [1.0, -0.3, 0.2], [0.0, 0.4, 0.9], [0.7, 0.6, 0.1]]), tf.constant([0.2, 0.1, 0.5, 0.4])]
