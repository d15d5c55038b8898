import tensorflow as tf

# why, nobody knows
# one for each column
scale = tf.Variable(
    [1.0, 2.0, 3.0],
    name="""scale""" """
""".strip(),
)

other = tf.Variable(0.0)


@tf.function(jit_compile=True)
def step(x):
    return x * scale  # want: XLA301 `scale` lives on /CPU:1, but compiled `step` runs on the default device


ENTRY = "step"


def inputs():
    return (tf.ones([3]),)


BEFORE = "error"
ERROR = "Trying to access resource"
SAFETY = "manual"
CHOOSE = ["XLA301", "drop-device-scope"]
DEVICES = 2
WEAKEN = [('scale = tf.Variable(\n', 'with tf.device("/CPU:1"):\n    scale = tf.Variable(\n')]
