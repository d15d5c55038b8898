"""The gradient of a result whose length depends on data reads its padding."""

import tensorflow as tf


@tf.function(jit_compile=True)
def slope(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        out = tf.TensorArray(tf.float32, size=0, dynamic_size=True, element_shape=[])  # want: XLA103 TensorArray
        k = 0
        for i in tf.range(tf.shape(x)[0]):
            if x[i] > 1.5:
                out = out.write(k, x[i] * x[i])
                k += 1
        y = tf.reduce_sum(out.stack())
    return tape.gradient(y, x)


ENTRY = "slope"
BEFORE = "error"
REASON = "gradient reads the padding"
ERROR = "TensorListResize"


def inputs():
    return [tf.constant([1.0, 2.0, 3.0])]
