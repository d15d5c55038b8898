"""Nothing to do: everything that looks like a fault is eager, a plain graph, jit_compile=False, or a tf.data pipeline."""
import tensorflow as tf

ENTRY = "monitor.train:run"
BEFORE = "runs"


def inputs():
    return [tf.constant([1.0, 2.0, 4.0, 9.0]), tf.constant([[1.0, 5.0], [3.0, 2.0]])]
