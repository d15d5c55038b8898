try:
    import tensorflow as tf
except ImportError:
    tf = None

if tf is not None:

    @tf.function(jit_compile=True)
    def noisy(x):
        # want: XLA202 makes a variable
        rng = tf.random.Generator.from_seed(3)
        return x + rng.normal(tf.shape(x))


ENTRY = "noisy"
ORACLE = "streams"
REFERENCE = "eager"
BEFORE = "error"
ERROR = "singleton tf.Variables"
SAFETY = "unsafe"  # the numbers go on from call to call
RESEED = ("from_seed(3)", "from_seed(4)")
WEAKEN = [("rng = _get_stream()", "rng = tf.random.Generator.from_seed([3])")]


def inputs():
    return [tf.zeros([6])]
