import tensorflow as tf

with tf.device("/CPU:1"):
    table = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
bias = tf.Variable([0.5, 0.25])


@tf.function(jit_compile=True)
def _rows(ids):
    return tf.gather(table, ids) + bias  # want: XLA301 `table` lives on /CPU:1


def run(ids):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(_rows(ids) * _rows(ids))
    gradients = tape.gradient(loss, [table, bias])
    return loss, tf.convert_to_tensor(gradients[0]), gradients[1]


ENTRY = "run"


def inputs():
    return (tf.constant([0, 1, 1]),)


BEFORE = "error"
ERROR = "Trying to access resource"
SAFETY = "unsafe"  # the table is small enough to be copied
DEVICES = 2
WEAKEN = [('return tf.gather(table, ids)', 'return tf.gather(tf.stop_gradient(table), ids)')]
