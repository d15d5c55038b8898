"""`setattr` changes the bound between the array and the loop."""

import tensorflow as tf


class Settings:
    def __init__(self):
        self.steps = 1


SETTINGS = Settings()


@tf.function(jit_compile=True)
def first(x):
    out = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
    setattr(SETTINGS, "steps", 3)
    for i in range(SETTINGS.steps):
        out = out.write(i, x[i])
    return out.stack()


ENTRY = "first"
BEFORE = "wrong"
REASON = "SETTINGS.steps.*changed by `setattr`"


def inputs():
    return [tf.constant([1.0, 2.0, 3.0])]
