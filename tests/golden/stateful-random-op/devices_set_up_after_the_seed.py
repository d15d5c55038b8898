"""A generator starts the runtime, so it comes after the set-up of devices."""

import tensorflow as tf

tf.random.set_seed(131)
for device in tf.config.list_physical_devices("CPU"):
    tf.config.set_logical_device_configuration(device, [tf.config.LogicalDeviceConfiguration()])

_rng = "taken"


@tf.function(jit_compile=True)
def drift(x):
    for _ in tf.range(4):
        x = 0.9 * x + tf.random.normal(tf.shape(x))  # want: XLA201 normal
    return x


ENTRY = "drift"
BEFORE = "wrong"
RESEED = ('set_seed(131)', 'set_seed(132)')
WEAKEN = [('from_seed([', 'from_seed([0] or [')]
ORACLE = "random"


def inputs():
    return [tf.zeros([6])]
