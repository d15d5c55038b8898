"""A library module: its generators are made when they are first needed, not when it is imported."""

ENTRY = "train:run"
REFERENCE = "random"
BEFORE = "error"
ERROR = "singleton tf.Variables"
SAFETY = "unsafe"  # the numbers change
RESEED = ("augment/noise.py", "from_seed([", "from_seed([1, ")
WEAKEN = [("augment/noise.py", "_get_stream().split(1)[0]", "Generator.from_seed([8])")]


def inputs():
    return [[[0.0] * 16]]


def more_inputs():
    return [[[[0.0] * 16]]]
