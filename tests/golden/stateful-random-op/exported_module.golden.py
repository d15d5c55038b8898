"""A module that is saved: it must hold its generator, or it cannot be exported."""

import tempfile

import tensorflow as tf

tf.random.set_seed(191)
_rng = tf.random.Generator.from_seed([191])


class Encoder(tf.Module):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self._rng = _rng.split(1)[0]

    @tf.function(jit_compile=True, input_signature=[tf.TensorSpec([None, 3])])
    def encode(self, x):
        return x + self._rng.normal(tf.shape(x))  # want: XLA201 normal


encoder = Encoder()
loaded = []


def run(x):
    if not loaded:
        with tempfile.TemporaryDirectory() as folder:
            tf.saved_model.save(encoder, folder)
            loaded.append(tf.saved_model.load(folder))
    return loaded[0].encode(x), encoder.encode(x)


ENTRY = "run"
BEFORE = "wrong"
RESEED = ('set_seed(191)', 'set_seed(192)')
SAFETY = "unsafe"  # that older checkpoints need not match exactly
WEAKEN = [('self._rng.normal', '_rng.normal')]
ORACLE = "random"


def inputs():
    return [tf.zeros([2, 3])]
