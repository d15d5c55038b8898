import tensorflow as tf


@tf.function(jit_compile=True)
def accumulate(state, x):
    state.total.assign_add(tf.reduce_sum(x))  # want: XLA301 `state.total` lives on /CPU:1
    return state.total.read_value()
