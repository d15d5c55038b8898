"""How the balance depends on the losses; compiled, the derivative included."""

import tensorflow as tf

from .solver import equilibrium


@tf.function(jit_compile=True)
def sensitivity(heating, loss):
    with tf.GradientTape() as tape:
        tape.watch(loss)
        total = tf.reduce_sum(equilibrium(heating, loss))
    return total, tape.gradient(total, loss)
