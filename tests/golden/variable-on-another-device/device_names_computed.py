import tensorflow as tf

NUMBER = 1
devices = tf.config.list_logical_devices("CPU")
with tf.device(f"/CPU:{NUMBER}"):
    first = tf.Variable([1.0, 2.0, 3.0])
with tf.device("/CPU:%d" % NUMBER):
    second = tf.Variable([1.0, 2.0, 3.0])
with tf.device("/device:{}:{index}".format("CPU", index=1)):
    third = tf.Variable([1.0, 2.0, 3.0])
with tf.device(devices[1].name):
    fourth = tf.Variable([1.0, 2.0, 3.0])
with tf.device(devices[NUMBER]):
    fifth = tf.Variable([1.0, 2.0, 3.0])
with tf.device(fifth.device):
    sixth = tf.Variable([1.0, 2.0, 3.0])
with tf.device(tf.DeviceSpec(device_type="CPU", device_index=1).to_string()):
    seventh = tf.Variable([1.0, 2.0, 3.0])


@tf.function(jit_compile=True)
def step(x):
    # want: XLA301 `first` lives on /CPU:1
    # want: XLA301 `second` lives on /CPU:1
    x += first + second
    # want: XLA301 `third` lives on /CPU:1
    # want: XLA301 `fourth` lives on /CPU:1
    x += third + fourth
    # want: XLA301 `fifth` lives on /CPU:1
    # want: XLA301 `sixth` lives on /CPU:1
    # want: XLA301 `seventh` lives on /CPU:1
    return x + fifth + sixth + seventh


def run(x):
    return step(x)


ENTRY = "run"


def inputs():
    return (tf.ones([3]),)


BEFORE = "error"
ERROR = "Trying to access resource"
DEVICES = 2
WEAKEN = [('    with tf.device("/CPU:1"):\n        return', '    if True:\n        return')]
