import tensorflow as tf
from augment import Dropout, jitter

tf.config.threading.set_intra_op_parallelism_threads(2)
layers = [Dropout(0.5), Dropout(0.5)]


@tf.function(jit_compile=True)
def step(x):
    return [layer(x) for layer in layers], jitter(x)


def run(x):
    return step(tf.constant(x))
