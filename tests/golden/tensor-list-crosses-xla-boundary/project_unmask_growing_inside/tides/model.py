import tensorflow as tf


@tf.function(jit_compile=True)
def levels(amplitude, moon):
    """The water at every hour."""
    out = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # want: XLA103 TensorArray
    level = tf.constant(0.0)
    for hour in tf.range(tf.shape(moon)[0]):
        level = 0.5 * level + amplitude * tf.sin(moon[hour])
        out = out.write(hour, level)
    return out.stack()
