import tensorflow as tf


@tf.function(jit_compile=True)
def arrived(damping, pushes):
    speed = tf.constant(0.0)
    for t in tf.range(tf.shape(pushes)[0]):
        speed = damping * speed + pushes[t]
    return speed
