import tensorflow as tf

tf.random.set_seed(8)
SCALE = 0.5
