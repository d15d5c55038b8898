import tensorflow as tf

from weather.model import forecast


@tf.function(jit_compile=True)
def sensitivity(pressure):
    with tf.GradientTape() as tape:
        tape.watch(pressure)
        later = forecast(pressure)
    return later, tape.gradient(later, pressure)
