"""The seed is set behind a guard, once: the global generator is set there as well, behind the devices."""

import tensorflow as tf

_started = []


def start():
    if not _started:
        tf.random.set_seed(141)
        tf.config.threading.set_inter_op_parallelism_threads(2)
        _started.append(True)


@tf.function(jit_compile=True)
def step(x, noise=None):
    if noise is None:
        noise = tf.random.normal(tf.shape(x))  # want: XLA201 normal
    return x + noise


def run(x):
    start()
    return step(x)


ENTRY = "run"
BEFORE = "wrong"
RESEED = ('set_seed(141)', 'set_seed(142)')
SAFETY = "unsafe"  # that the seed is set before anything that draws is traced
WEAKEN = [('from_seed([', 'from_seed([0] or ['), ('tf.random.get_global_generator()', 'tf.random')]
ORACLE = "random"


def prepare():
    start()


def inputs():
    return [tf.zeros([4])]
