import tensorflow as tf

from .calculus import value_and_gradient
from .soil import Soil

soil = Soil(3)


@tf.function
def calibration_step(loss_rate, rain, measured):
    def misfit(rate):
        return tf.reduce_sum(tf.square(soil.moisture(rate, rain) - measured))

    misfit_now, slope = value_and_gradient(misfit, loss_rate)
    return misfit_now, loss_rate - 0.01 * slope
