import tensorflow as tf


class Scaled(tf.Module):
    def __init__(self, device):
        super().__init__()
        with tf.device(device):
            self.scale = tf.Variable([1.0, 2.0, 3.0])

    @tf.function(jit_compile=True)
    def apply(self, x):
        return x * self.scale  # want: XLA301 `self.scale` lives on /CPU:1


models = [Scaled("/CPU:1"), Scaled(None)]


def run(x):
    for model in models:
        x = model.apply(x)
    return x


ENTRY = "run"


def inputs():
    return (tf.ones([3]),)


BEFORE = "error"
ERROR = "Trying to access resource"
REASON = "the same call also runs what uses `self.scale`"
DEVICES = 2
