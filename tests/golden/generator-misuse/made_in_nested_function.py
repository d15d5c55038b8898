import tensorflow as tf


def make_step(rate, seed):
    drop = 1.0 - rate

    # one step
    @tf.function(jit_compile=True)
    def step(x):
        # want: XLA202 makes a variable
        rng = tf.random.Generator.from_seed(seed)
        return x * drop + rng.uniform(tf.shape(x))

    return step


step = make_step(0.1, 4)


def run(x):
    return step(x)


ENTRY = "run"
ORACLE = "streams"
REFERENCE = "eager"
BEFORE = "error"
ERROR = "singleton tf.Variables"
SAFETY = "unsafe"  # the numbers go on from call to call
RESEED = ("make_step(0.1, 4)", "make_step(0.1, 5)")
WEAKEN = [("rng.uniform", "tf.random.Generator.from_seed([seed]).uniform")]


def inputs():
    return [tf.zeros([5])]


def more_inputs():
    return [[tf.zeros([5])]]
