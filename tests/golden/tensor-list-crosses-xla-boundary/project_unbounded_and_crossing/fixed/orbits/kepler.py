import tensorflow as tf

ROUNDS = 5


@tf.function(jit_compile=True)
def anomaly(mean, eccentricity):
    """Newton's method for Kepler's equation."""

    def improve(k, e):
        return k + 1, e - (e - eccentricity * tf.sin(e) - mean) / (1.0 - eccentricity * tf.cos(e))

    return tf.while_loop(lambda k, e: k < ROUNDS, improve, (0, mean), maximum_iterations=ROUNDS)[1]  # want: XLA102 while_loop
