import tensorflow as tf

from noise import Grain, gain

SEED = 4
grains = [Grain(0.5), Grain(0.5)]


@tf.function(jit_compile=True)
def step(x):
    first, second = [grain(x) for grain in grains]
    return first, first - second, gain(x)


def main():
    tf.random.set_seed(SEED)
    tf.config.set_logical_device_configuration(
        tf.config.list_physical_devices("CPU")[0], [tf.config.LogicalDeviceConfiguration()]
    )
    return step(tf.zeros([6, 4]))


if __name__ == "__main__":
    main()
