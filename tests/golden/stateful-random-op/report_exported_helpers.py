"""A SavedModel holds what its object holds: a helper cannot draw from a generator of the module."""

import tempfile

import tensorflow as tf

tf.random.set_seed(7)


def jittered(x):
    return x + tf.random.normal(tf.shape(x))  # want: XLA201 normal


class NoiseMixin:
    def spread(self, x):
        return x * tf.random.uniform(tf.shape(x))  # want: XLA201 uniform


class Model(NoiseMixin, tf.Module):
    @tf.function(jit_compile=True, input_signature=[tf.TensorSpec([None, 6])])
    def __call__(self, x):
        return self.spread(jittered(x))


model = Model()


def export():
    tf.saved_model.save(model, tempfile.mkdtemp())


def run(x):
    return model(x)


ENTRY = "run"
BEFORE = "wrong"
REASON = "a generator that it holds itself"
ORACLE = "random"


def inputs():
    return [tf.ones([4, 6])]
