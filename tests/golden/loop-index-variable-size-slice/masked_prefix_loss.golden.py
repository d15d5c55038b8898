"""Loop and slice in a helper, the tape in the compiled caller; matmul of the prefix."""

import tensorflow as tf


def prefix_scores(weights, x):
    score = tf.constant(0.0)
    for n in range(1, x.shape[0]):  # want: XLA105 slice
        logits = tf.nn.softmax(weights[:n])
        score += tf.reduce_sum(logits * x[:n])
    return score


@tf.function(jit_compile=True)
def train_step(weights, x):
    with tf.GradientTape() as tape:
        tape.watch(weights)
        loss = -prefix_scores(weights, x)
    return loss, tape.gradient(loss, weights)


def run(weights, x):
    return train_step(weights, x), prefix_scores(weights, x)


ENTRY = "run"
BEFORE = "wrong"
SAFETY = "safe"
WEAKEN = [("in range(", "in tf.range("), ("x.shape[0])", "x.shape[0] - 1)")]


def inputs():
    return [tf.constant([0.5, -1.0, 2.0, 0.1]), tf.constant([1.0, 2.0, 3.0, 4.0])]


def more_inputs():
    return [[tf.constant([5.0, 1.0]), tf.constant([1.0, 3.0])]]
