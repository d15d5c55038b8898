"""A library module: its generators are made when they are first needed, not when it is imported."""

ENTRY = "train:run"
ORACLE = "streams"
REFERENCE = "eager"
BEFORE = "error"
ERROR = "singleton tf.Variables"
SAFETY = "unsafe"  # the numbers change
RESEED = ("augment/noise.py", "from_seed(5)", "from_seed(6)")
WEAKEN = [("augment/noise.py", "_get_stream().split(1)[0]", "Generator.from_seed([8])")]


def inputs():
    return [[[0.0] * 16]]


def more_inputs():
    return [[[[0.0] * 16]]]
