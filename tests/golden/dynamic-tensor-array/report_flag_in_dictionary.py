"""The flag stands in a dictionary of options."""

import tensorflow as tf

OPTIONS = dict(size=0, dynamic_size=True)


@tf.function(jit_compile=True)
def doubled(x):
    out = tf.TensorArray(tf.float32, **OPTIONS)  # want: XLA103 TensorArray
    for i in tf.range(tf.shape(x)[0]):
        out = out.write(i, x[i] * 2.0)
    return out.stack()


ENTRY = "doubled"
BEFORE = "wrong"
REASON = "OPTIONS"


def inputs():
    return [tf.constant([1.0, 2.0, 3.0])]
