import tensorflow as tf

DEVICE = "/CPU:1"


class Scaled(tf.Module):
    def __init__(self):
        super().__init__()
        self.scale = tf.Variable([1.0, 2.0, 3.0])

    @tf.function(jit_compile=True)
    def __call__(self, x):
        return x * self.scale  # want: XLA301 `self.scale` lives on /CPU:1, but compiled `Scaled.__call__`


with tf.device(DEVICE):
    model = Scaled()


def run(x):
    return model(x) + 1.0


ENTRY = "run"


def inputs():
    return (tf.ones([3]),)


BEFORE = "error"
ERROR = "Trying to access resource"
DEVICES = 2
WEAKEN = [('    with tf.device(DEVICE):\n        return', '    if True:\n        return')]
