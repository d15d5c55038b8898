import tensorflow as tf

from .kepler import anomaly


@tf.function
def by_eccentricity(mean, eccentricity):
    with tf.GradientTape() as tape:
        tape.watch(eccentricity)
        e = tf.reduce_sum(anomaly(mean, eccentricity))  # want: XLA104 anomaly
    return e, tape.gradient(e, eccentricity)
