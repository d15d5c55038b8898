"""A sensor that lags behind."""

import tensorflow as tf


@tf.function(jit_compile=True)
def lagged(readings, inertia):
    """readings [time], inertia [] -> what the sensor shows at the end."""
    shown = readings[0]
    for t in tf.range(1, tf.shape(readings)[0]):
        shown = inertia * shown + (1.0 - inertia) * readings[t]
    return shown
