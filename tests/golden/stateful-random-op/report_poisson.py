"""No kernel for the old op, nor for the stateless one."""

import tensorflow as tf

tf.random.set_seed(4)


@tf.function(jit_compile=True)
def photons(image):
    return tf.random.poisson([], image * 20.0) / 20.0  # want: XLA201 no XLA kernel


ENTRY = "photons"
BEFORE = "error"
REASON = "outside of the compiled"
ERROR = "OpKernel"
ORACLE = "random"


def inputs():
    return [tf.fill([3], 0.4)]
