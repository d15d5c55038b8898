import tensorflow as tf

from .axes import contrast
from .prefix import PrefixScorer

scorer = PrefixScorer()


@tf.function(jit_compile=True)
def step(weights, maps):
    with tf.GradientTape() as tape:
        tape.watch(weights)
        loss = scorer.score(weights) * contrast(maps)
    return loss, tape.gradient(loss, weights)


def run(weights, maps):
    return step(weights, maps)
