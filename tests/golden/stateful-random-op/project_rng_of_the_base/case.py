"""The base class, in another module, has an attribute of the name that the generator would get."""

import tensorflow as tf

ENTRY = "app.layers:run"
BEFORE = "wrong"
ORACLE = "random"
SAFETY = "unsafe"  # no code depends on what the checkpoints hold
RESEED = ("app/layers.py", "set_seed(7)", "set_seed(8)")
WEAKEN = [("app/layers.py", "from_seed([", "from_seed([0] or ["), ("app/layers.py", "self._rng2 =", "self._rng = self._rng2 =")]


def inputs():
    return [tf.ones([6, 4])]
