import tensorflow as tf

from noise.layers import Grain, gain

tf.config.set_logical_device_configuration(
    tf.config.list_physical_devices("CPU")[0], [tf.config.LogicalDeviceConfiguration()]
)
grains = [Grain(), Grain()]


@tf.function(jit_compile=True)
def step(x):
    first, second = [grain(x) for grain in grains]
    return first, first - second, gain(x)
