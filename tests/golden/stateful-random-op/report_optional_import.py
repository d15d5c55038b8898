"""TensorFlow may be missing: no statement of the module may count on it."""

try:
    import tensorflow as tf
except ImportError:
    tf = None

if tf is not None:
    tf.random.set_seed(4)


@tf.function(jit_compile=True)
def noise(x):
    return x + tf.random.normal(tf.shape(x))  # want: XLA201 normal


ENTRY = "noise"
BEFORE = "wrong"
REASON = "only in some cases"
ORACLE = "random"


def inputs():
    return [tf.zeros([4])]
