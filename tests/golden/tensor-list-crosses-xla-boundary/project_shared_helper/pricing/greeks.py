import tensorflow as tf

from . import curve


def delta(rate, payments):
    with tf.GradientTape() as tape:
        tape.watch(rate)
        value = curve.present_value(rate, payments)  # want: XLA104 present_value
    return value, tape.gradient(value, rate)
