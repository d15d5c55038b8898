import tensorflow as tf


@tf.function(jit_compile=True)
def noisy(x):
    return x + tf.random.Generator.from_seed(1).normal(tf.shape(x))  # want: XLA202 makes a variable


def main(x):
    tf.config.threading.set_inter_op_parallelism_threads(2)
    return noisy(x)


ENTRY = "main"
REFERENCE = "random"
BEFORE = "error"
ERROR = "singleton tf.Variables"
REASON = "must run before the first generator"


def inputs():
    return [[1.0, 2.0]]
