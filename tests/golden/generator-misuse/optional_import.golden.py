try:
    import tensorflow as tf
except ImportError:
    tf = None

_stream = None


def _get_stream():
    """The random generator of this module, made when it is first needed."""
    global _stream
    if _stream is None:
        with tf.init_scope():
            _stream = tf.random.Generator.from_seed([3])
    return _stream


if tf is not None:

    @tf.function(jit_compile=True)
    def noisy(x):
        # want: XLA202 makes a variable
        rng = _get_stream()
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
