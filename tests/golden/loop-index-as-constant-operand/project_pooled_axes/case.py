"""The index of a tf.range loop is the axis of a reduction, two modules away from the compiled root.

Chain: vision.train.step -> vision.model (no framework word in it) -> vision.ops (star re-export) -> vision.ops.pooling;
`tf` is a project module that re-exports tensorflow.
SAFE: the trip count is a module constant, an int, and range() gives the same numbers in every context.
vision.metrics has the same loop and is only called eagerly.
"""
import tensorflow as tf

ENTRY = "vision.train:run"
SAFETY = "safe"
BEFORE = "error"
ERROR = "must be a compile-time constant"
WEAKEN = [
    ("vision/ops/pooling.py", "range(SPATIAL_AXES)", "range(SPATIAL_AXES - 1)"),
    ("vision/ops/pooling.py", "range(SPATIAL_AXES)", "tf.range(SPATIAL_AXES)"),
]


def inputs():
    maps = tf.reshape(tf.sin(tf.range(24, dtype=tf.float32)), [3, 4, 2])
    return [tf.constant([0.5, 1.5]), maps, tf.constant(0.25)]


def more_inputs():
    return [[tf.constant([1.0]), tf.reshape(tf.cos(tf.range(6, dtype=tf.float32)), [1, 6, 1]), tf.constant(-1.0)]]
