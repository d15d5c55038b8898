import tensorflow as tf

ENTRY = "app.main:run"
BEFORE = "error"
ERROR = "Trying to access resource"
DEVICES = 2


def inputs():
    return (tf.ones([3]),)
