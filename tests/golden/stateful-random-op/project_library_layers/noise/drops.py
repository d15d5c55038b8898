import tensorflow as tf


def dropped(x):
    return tf.nn.dropout(x, 0.25)  # want: XLA201 dropout
