import tensorflow as tf


class Tagger(tf.Module):
    def __init__(self):
        super().__init__()
        with tf.device("/CPU:1"):
            self.table = tf.Variable(tf.reshape(tf.range(40.0), [10, 4]))
        self.out = tf.Variable(tf.ones([4, 2]))

    @tf.function(jit_compile=True)
    def __call__(self, ids):
        return tf.gather(self.table, ids) @ self.out  # want: XLA301 `self.table` lives on /CPU:1


tagger = Tagger()


def run(ids):
    return tagger(ids)


ENTRY = "run"


def inputs():
    return (tf.constant([1, 5]),)


BEFORE = "error"
ERROR = "Trying to access resource"
SAFETY = "manual"
CHOOSE = ["XLA301", "one-scope"]
DEVICES = 2
WEAKEN = [('with tf.device("/CPU:1"):\n            self.out', 'if True:\n            self.out')]
