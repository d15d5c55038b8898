"""A library with seeds of its own: its generator is made when it is first needed, not when it is imported."""

import tensorflow as tf

ENTRY = "app.run:step"
BEFORE = "wrong"
SAFETY = "unsafe"  # `__call__` may be called by others; checkpoints of the layer
ORACLE = "random"
RESEED = ("noise/layers.py", "SEED = 4", "SEED = 5")
WEAKEN = [
    ("noise/layers.py", "from_seed([SEED])", "from_seed([1])"),
    ("noise/layers.py", "_generator().split(1)[0]", "tf.random.Generator.from_seed([2])"),
    ("noise/layers.py", "if _rng is None:", "if True:"),
]


def inputs():
    return [tf.ones([6, 4])]
