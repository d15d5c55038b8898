import tensorflow as tf


@tf.function(jit_compile=True)
def cooled(rate, temperature):
    for _ in tf.range(4):
        temperature = temperature - rate * tf.square(temperature)
    return temperature
