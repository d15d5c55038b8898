import tensorflow as tf

from app import steps
from app.state import State, make_total

state = State(make_total())


def run(x):
    print("running")
    with tf.device("/CPU:1"):
        return tf.sqrt(steps.accumulate(state, x))
