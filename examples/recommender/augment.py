"""Random changes of the input, so that the model does not learn it by heart."""

import tensorflow as tf


class Jitter(tf.Module):
    """Adds noise to the features of an item."""

    def __init__(self, strength):
        super().__init__()
        self.strength = strength

    def __call__(self, features):
        return features + tf.random.normal(tf.shape(features), stddev=self.strength)
