"""Two library modules draw, the program sets the seed in `main`: all share the global generator.

Importing the library must not start the runtime, since the program sets up its devices later.
"""

import tensorflow as tf

ENTRY = "app.train:step"
BEFORE = "wrong"
SAFETY = "unsafe"  # that the seed is set before anything that draws is traced; the layers are public
ORACLE = "random"
RESEED = ("app/train.py", "SEED = 4", "SEED = 5")
WEAKEN = [("app/train.py", "from_seed([SEED])", "from_seed([1])")]


def prepare():
    import app.train

    app.train.main()


def inputs():
    return [tf.ones([6, 4])]
