import tensorflow as tf

TABLES = "/device:CPU:1"


class Scaled(tf.Module):
    def __init__(self, device):
        super().__init__()
        with tf.device(device):
            self.scale = tf.Variable([1.0, 2.0, 3.0])

    @tf.function(jit_compile=True)
    def apply(self, x):
        return x * self.scale  # want: XLA301 `self.scale` lives on /CPU:1, but compiled `Scaled.apply`


model = Scaled(TABLES)


def run(x):
    total = tf.zeros([3])
    for _ in range(2):
        total += model.apply(x)
    return total


ENTRY = "run"


def inputs():
    return (tf.ones([3]),)


BEFORE = "error"
ERROR = "Trying to access resource"
DEVICES = 2
WEAKEN = [('with tf.device("/CPU:1"):', 'if True:')]
