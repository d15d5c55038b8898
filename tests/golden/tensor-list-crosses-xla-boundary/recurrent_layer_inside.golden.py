"""No loop in sight: a recurrent layer of Keras is one.

SAFE: the outer function is a tf.function already, and all it calls has a kernel under XLA.
"""

import tensorflow as tf

layer = tf.keras.layers.GRU(2, kernel_initializer="ones", recurrent_initializer="ones")
layer.build([None, None, 2])


@tf.function(jit_compile=True)
def encode(sentences):
    return layer(sentences)


@tf.function(jit_compile=True)
def saliency(sentences):
    with tf.GradientTape() as tape:
        tape.watch(sentences)
        score = tf.reduce_sum(encode(sentences))  # want: XLA104 encode
    return tape.gradient(score, sentences)


ENTRY = "saliency"
BEFORE = "error"
ERROR = "TensorList crossing"
WEAKEN = [("@tf.function(jit_compile=True)\ndef saliency", "@tf.function\ndef saliency")]


def inputs():
    return [tf.constant([[[0.1, 0.2], [0.3, -0.4], [0.5, 0.6]]])]


def more_inputs():
    return [[tf.constant([[[0.1, 0.2]], [[0.3, 0.4]]])]]
