"""The seed is set when a module is imported that others import: a generator there starts the runtime."""

import tensorflow as tf

ENTRY = "app.run:step"
BEFORE = "wrong"
ORACLE = "random"
REASON = "when app.settings is imported"


def inputs():
    return [tf.ones([6, 4])]
