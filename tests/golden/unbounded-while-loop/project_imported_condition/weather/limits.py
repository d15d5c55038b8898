"""When a forecast ends."""
import tensorflow as tf

MAX_HOURS = 12


def not_over(hour, pressure, change):
    return tf.logical_and(hour < MAX_HOURS, tf.reduce_max(tf.abs(change)) > 1e-5)
