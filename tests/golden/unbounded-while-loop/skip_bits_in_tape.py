"""Bits have no derivative, so that a tape around the loop needs no bound of it."""

import tensorflow as tf


@tf.function(jit_compile=True)
def parity(words, scale):
    def keep_going(seen, i):
        del seen
        return i < len(words)

    with tf.GradientTape() as tape:
        tape.watch(scale)
        seen, _ = tf.while_loop(
            keep_going, lambda seen, i: (tf.bitwise.bitwise_xor(seen, words[i]), i + 1), (words[0], 1)
        )
        scaled = tf.cast(seen, tf.float32) * scale
    return scaled, tape.gradient(scaled, scale)


ENTRY = "parity"


def inputs():
    return [tf.constant([5, 3, 12]), tf.constant(0.5)]
