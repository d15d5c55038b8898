"""Neither `tf` nor `tf.function` stands in this module.

SAFE: the outer function is a tf.function already, and all it calls has a kernel under XLA.
"""

from tensorflow import GradientTape, function, math, range as tensor_range, sin


@function(jit_compile=True)
def wave(speed, x):
    for _ in tensor_range(4):
        x = x + speed * sin(x)
    return math.reduce_sum(x)


@function
def slope(speed, x):
    with GradientTape() as tape:
        tape.watch(speed)
        height = wave(speed, x)  # want: XLA104 wave
    return tape.gradient(height, speed)


ENTRY = "slope"
BEFORE = "error"
ERROR = "TensorList crossing"
WEAKEN = [("@function(jit_compile=True)\ndef slope", "@function\ndef slope")]


def inputs():
    import tensorflow as tf

    return [tf.constant(0.3), tf.constant([1.0, 2.0])]
