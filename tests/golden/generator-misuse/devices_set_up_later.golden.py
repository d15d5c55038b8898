import tensorflow as tf

_stream = None


def _get_stream():
    """The random generator of this module, made when it is first needed."""
    global _stream
    if _stream is None:
        with tf.init_scope():
            _stream = tf.random.Generator.from_seed([1])
    return _stream


@tf.function(jit_compile=True)
def noisy(x):
    return x + _get_stream().normal(tf.shape(x))  # want: XLA202 makes a variable


def prepare():
    tf.config.threading.set_inter_op_parallelism_threads(2)


def main(x):
    return noisy(x)


ENTRY = "main"
ORACLE = "streams"
REFERENCE = "eager"
BEFORE = "error"
ERROR = "singleton tf.Variables"
SAFETY = "unsafe"  # the numbers go on from call to call
RESEED = ("from_seed(1)", "from_seed(2)")
WEAKEN = [("_stream = None", "_stream = tf.random.Generator.from_seed([1])")]


def inputs():
    return [[1.0, 2.0]]


def more_inputs():
    return [[[1.0, 2.0]]]
