"""The features of all items, kept in the memory of one device."""

import tensorflow as tf

from .config import FEATURES, ITEMS


class Items(tf.Module):
    def __init__(self):
        super().__init__()
        with tf.device("/CPU:1"):  # the host: too many for the accelerator
            self.table = tf.Variable(tf.reshape(tf.sin(tf.range(float(ITEMS * FEATURES))), [ITEMS, FEATURES]))

    def look_up(self, ids):
        """ids [count] -> [count, features]."""
        return tf.gather(self.table, ids)
