import tensorflow as tf

strategy = tf.distribute.MirroredStrategy(["/CPU:0", "/CPU:1"])
with strategy.scope():
    scale = tf.Variable([1.0, 2.0, 3.0])


@tf.function(jit_compile=True)
def step(x):
    return x * scale  # want: XLA301 `scale` lives on /CPU:0 and /CPU:1, .* is run by a strategy


def run(x):
    return strategy.experimental_local_results(strategy.run(step, args=(x,)))


ENTRY = "run"


def inputs():
    return (tf.ones([3]),)


BEFORE = "error"
ERROR = "Trying to access resource"
REASON = "a strategy of tf.distribute"
DEVICES = 2
