"""The compiled functions of the model."""

import tensorflow as tf

from .augment import Jitter
from .config import SEED
from .items import Items

tf.random.set_seed(SEED)

items = Items()
jitter = Jitter(0.1)


@tf.function(jit_compile=True)
def augmented(features):
    return jitter(features)


@tf.function(jit_compile=True)
def scores(user, ids):
    """user [features], ids [count] -> how well each item suits the user."""
    return tf.linalg.matvec(items.look_up(ids), user)


def best(user, ids):
    return tf.argmax(scores(user, ids))
