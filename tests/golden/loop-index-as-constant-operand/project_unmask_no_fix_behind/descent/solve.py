import tensorflow as tf

from .norms import largest_marginal

TOLERANCE = 0.5


@tf.function(jit_compile=True)
def shrink(x):
    """Halve x until its marginals are small; returns the norms on the way."""
    trace = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
    step = 0
    norm = largest_marginal(x)
    while norm > TOLERANCE:
        norm = norm * 0.5
        trace = trace.write(step, norm)
        step += 1
    return trace.stack()


def run(x):
    return shrink(x)
