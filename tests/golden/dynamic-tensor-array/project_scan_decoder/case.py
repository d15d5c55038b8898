"""A growing TensorArray in a base class comes back empty under XLA, without an error.

Chain: tagger.infer.tag -> Tagger.tag -> self.decoder (constructor-typed) .unroll, inherited from Unroller, which calls
the overridden advance; cells are a list of two classes, one calling super().step.
SAFE: one unconditional write per iteration at the loop index of one loop from 0, so `steps` is the size in every
context; no parameter fact is needed. The same text in tagger.data runs in a tf.data pipeline and must stay.
"""
import tensorflow as tf

ENTRY = "tagger.infer:run"
SAFETY = "safe"
BEFORE = "wrong"


def inputs():
    return [tf.reshape(tf.sin(tf.range(15, dtype=tf.float32)), [5, 3]), tf.constant([0.1, -0.2, 0.3])]


def more_inputs():
    return [[tf.constant([[1.0, 2.0, 3.0]]), tf.zeros([3])]]
