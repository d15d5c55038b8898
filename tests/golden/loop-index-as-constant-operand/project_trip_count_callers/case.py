"""range(axes) is right for the compiled caller (it passes 3) and a TypeError for the eager one (it passes a Variable).

Report with the caller that stands in the way.
"""
import tensorflow as tf

ENTRY = "moments.train:run"
BEFORE = "error"
REASON = "caller|Variable|report|parameter"
ERROR = "must be a compile-time constant"


def inputs():
    return [tf.reshape(tf.sin(tf.range(24, dtype=tf.float32)), [2, 3, 4])]
