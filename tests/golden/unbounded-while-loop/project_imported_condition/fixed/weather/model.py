import tensorflow as tf

from weather.limits import not_over


def advance(hour, pressure, change):
    new = pressure + 0.2 * tf.sin(pressure)
    return hour + 1, new, new - pressure


def forecast(pressure):
    return tf.while_loop(not_over, advance, (0, pressure, tf.ones_like(pressure)), maximum_iterations=12)[1]  # want: XLA102 while_loop
