import tensorflow as tf

from .calculus import value_and_gradient
from .soil import Soil

soil = Soil(3)


@tf.function(reduce_retracing=True, jit_compile=True)
def uncertainty(loss_rate, rain):
    total, slope = value_and_gradient(lambda rate: tf.reduce_sum(soil.moisture(rate, rain)), loss_rate)
    return tf.abs(slope) / total
