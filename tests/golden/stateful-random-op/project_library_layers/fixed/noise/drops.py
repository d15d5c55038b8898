import tensorflow as tf


def dropped(x):
    return tf.nn.experimental.general_dropout(x, 0.25, uniform_sampler=tf.random.get_global_generator().uniform)  # want: XLA201 dropout
