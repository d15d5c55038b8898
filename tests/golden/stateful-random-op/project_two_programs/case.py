"""Two programs share a module that draws; each sets a seed of its own, and gets a generator of its own."""

import tensorflow as tf

ENTRY = "lab.train:step"
BEFORE = "wrong"
SAFETY = "unsafe"  # that the seeds are set before anything that draws is traced
ORACLE = "random"
RESEED = ("lab/train.py", "set_seed(4)", "set_seed(5)")
WEAKEN = [("lab/train.py", "from_seed([", "from_seed([0] or [")]


def prepare():
    import lab.train

    lab.train.main()


def inputs():
    return [tf.ones([6, 4])]
