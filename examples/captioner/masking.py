"""A loss that looks at the words up to the present one only."""

import tensorflow as tf


def prefix_loss(scores, targets):
    """scores [length], targets [length] -> how badly each prefix of the scores predicts the next target."""
    loss = tf.constant(0.0)
    for i in tf.range(1, targets.shape[0]):
        context = tf.reduce_mean(tf.square(scores[:i]))
        loss += tf.square(context - targets[i])
    return loss
